import type { ScalarNode } from '../documents/document-node.ts';
import { yamlFormat } from '../documents/yaml-format.ts';
import { renderPointer } from '../key-path.ts';
import { writeScalar } from '../write-scalar.ts';

/** What comes with a scalar besides its value: its spelling, and the comment on its line. */
export interface ScalarOrigin {
  readonly spelling?: string | undefined;
  readonly comment?: string | undefined;
}

/** What is known of the scalar at a JSON Pointer. */
export type OriginOf = (pointer: string) => ScalarOrigin;

/** A member of a block mapping as lines, without indentation and line breaks. */
export function renderMember(names: readonly string[], value: unknown, originOf: OriginOf): readonly string[] {
  const key = `${renderKey(names.at(-1) ?? '')}:`;
  if (isFilled(value)) return [key, ...renderValue(names, value, originOf).map((line) => `  ${line}`)];
  return renderValue(names, value, originOf).map((line) => `${key} ${line}`);
}

/** An item of a block list as lines. */
export function renderItem(names: readonly string[], value: unknown, originOf: OriginOf): readonly string[] {
  return renderValue(names, value, originOf).map((line, at) => (at === 0 ? `- ${line}` : `  ${line}`));
}

/** A key as it can stand before a colon. */
export function renderKey(name: string): string {
  return /^[A-Za-z_][\w./-]*$/.test(name) && renderScalar(name) === name ? name : JSON.stringify(name);
}

/** A value without members in the plainest spelling that means just that. */
export function renderScalar(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  const plain = writeScalar({ ...text, source: 'x' }, value, yamlFormat);
  return (plain ?? writeScalar({ ...text, style: 'double-quoted' }, value, yamlFormat))?.source ?? '""';
}

/** Whether a value is a list or mapping that has something in it. */
export function isFilled(value: unknown): value is object {
  return typeof value === 'object' && value !== null && Object.keys(value).length > 0;
}

function renderValue(names: readonly string[], value: unknown, originOf: OriginOf): readonly string[] {
  if (!isFilled(value)) {
    const { spelling, comment = '' } = originOf(renderPointer(names));
    return [(spelling ?? renderScalar(value)) + comment];
  }
  if (Array.isArray(value)) {
    return value.flatMap((item: unknown, index) => renderItem([...names, String(index)], item, originOf));
  }
  return Object.entries(value).flatMap(([name, member]) => renderMember([...names, name], member, originOf));
}

// Any text outside brackets.
const text: ScalarNode = {
  kind: 'scalar',
  start: 0,
  end: 0,
  source: '',
  text: '',
  value: '',
  style: 'plain',
  type: 'string',
  isFlow: false,
  isShared: false,
};
