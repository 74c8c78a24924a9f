import { nearestName } from '../text/nearest-name.ts';
import { quoteText } from '../text/shown-line.ts';
import type { DocumentNode, ScalarNode } from './documents/document-node.ts';
import { parsePointer, splitDotted } from './key-path.ts';
import { type Refusal, refuse } from './refusal.ts';

/** The one scalar a key leads to. */
export interface LocatedScalar {
  readonly kind: 'scalar';
  readonly scalar: ScalarNode;
  /** Whether an alias elsewhere repeats the scalar or something around it. */
  readonly isShared: boolean;
}

/** Finds the one scalar that a JSON Pointer or a dotted path leads to, in the document that `#<index>` names. */
export function locateKey(documents: readonly DocumentNode[], key: string): LocatedScalar | Refusal {
  const about = `key ${quoteText(key)}`;
  const named = /^#(0|[1-9]\d*)(?:(\/.*)|\.(.+))?$/s.exec(key);
  if (named === null && documents.length > 1) {
    return refuse(
      `file holds ${documents.length} documents; name one as #<index>`,
      `The first is #0: "#0${pointerOf(key)}".`,
    );
  }
  const root = documents[Number(named?.[1] ?? 0)];
  if (root === undefined) {
    const count = documents.length === 1 ? '1 document' : `${documents.length} documents`;
    return refuse(`${about} not found`, `The file holds ${count}; they count from #0.`);
  }
  const rest = named === null ? key : (named[2] ?? named[3] ?? '');
  const names = rest === '' || rest.startsWith('/') ? parsePointer(rest) : chooseNames(root, rest);
  if (names === 'ambiguous') return refuse(`${about} is ambiguous; use a JSON Pointer`, 'Write / before every name.');
  if (names === undefined) return refuse(`${about} not found`, 'In a JSON Pointer "~" is written ~0 and "/" is ~1.');
  return walk(root, names, about);
}

function pointerOf(key: string): string {
  return key.startsWith('/') || key === '' ? key : `.${key}`;
}

function walk(root: DocumentNode, names: readonly string[], about: string): LocatedScalar | Refusal {
  let node = root;
  let isShared = node.isShared;
  for (const name of names) {
    const next = step(node, name);
    if (typeof next === 'string') return refuse(`${about} ${next}`, hintFor(node, name));
    node = next;
    isShared ||= node.isShared;
  }
  switch (node.kind) {
    case 'scalar':
      return { kind: 'scalar', scalar: node, isShared };
    case 'alias':
      return refuse(`${about} is an alias`, 'Edit the value it stands for, where its anchor is.');
    case 'block scalar':
      return refuse(`${about} is a block scalar`, 'Texts over several lines are edited as text, by edit_file.');
    case 'mapping':
    case 'sequence':
    case 'nothing':
      return refuse(`${about} is not a scalar`, `Name one value below it${namesBelow(node)}.`);
  }
}

/** The place one name further, or why there is none. */
function step(node: DocumentNode, name: string): DocumentNode | string {
  if (node.kind === 'alias') return 'is an alias';
  if (node.kind === 'sequence') {
    if (!/^(?:0|[1-9]\d*)$/.test(name)) return 'not found';
    return node.items()[Number(name)] ?? `index ${name} out of range`;
  }
  const [found, another] = node.kind === 'mapping' ? (node.members().get(name) ?? []) : [];
  if (another !== undefined) return 'is duplicated';
  return found ?? 'not found';
}

function hintFor(node: DocumentNode, name: string): string {
  if (node.kind === 'alias') return 'Edit the value it stands for, where its anchor is.';
  if (node.kind === 'sequence') return `The list has ${node.items().length} items; they count from 0.`;
  if (node.kind !== 'mapping') return 'The path goes on below a value that has nothing below it.';
  const members = node.members();
  if (members.has(name)) return 'The key stands there twice; a person has to remove one.';
  const near = nearestName(name, members.keys());
  return near === undefined
    ? `There is no ${quoteText(name)} there${namesBelow(node)}.`
    : `Did you mean ${quoteText(near)}?`;
}

const maxListed = 10;

function namesBelow(node: DocumentNode): string {
  if (node.kind !== 'mapping' || node.members().size === 0) return '';
  const names = [...node.members().keys()];
  const more = names.length > maxListed ? ', …' : '';
  return `; the keys are ${names
    .slice(0, maxListed)
    .map((name) => quoteText(name))
    .join(', ')}${more}`;
}

/**
 * The names a dotted path stands for. A name may itself hold dots, so every way to join the parts that leads somewhere
 * counts, and there must not be two.
 */
function chooseNames(root: DocumentNode, dotted: string): readonly string[] | 'ambiguous' {
  const ways: (readonly string[])[] = [];
  const look = (node: DocumentNode, taken: readonly string[], rest: readonly string[]): void => {
    if (ways.length > 1) return;
    // Past an alias or a key that stands there twice no way is better than another: walking says what is wrong.
    if (rest.length === 0 || node.kind === 'alias') ways.push([...taken, ...rest]);
    else if (node.kind === 'sequence') {
      const item = node.items()[Number(rest[0])];
      if (item !== undefined) look(item, [...taken, rest[0] ?? ''], rest.slice(1));
    } else if (node.kind === 'mapping') {
      for (let count = 1; count <= rest.length; count++) {
        const name = rest.slice(0, count).join('.');
        const [member, another] = node.members().get(name) ?? [];
        if (another !== undefined) ways.push([...taken, name, ...rest.slice(count)]);
        else if (member !== undefined) look(member, [...taken, name], rest.slice(count));
      }
    }
  };
  const parts = splitDotted(dotted);
  if (parts === undefined) return 'ambiguous';
  look(root, [], parts);
  if (ways.length > 1) return 'ambiguous';
  return ways[0] ?? parts;
}
