import type { DocumentNode } from '../documents/document-node.ts';
import { renderPointer } from '../key-path.ts';

/** A scalar of a document, with the way to it. An empty list or mapping is a leaf too, so that it is not overlooked. */
export interface Leaf {
  readonly names: readonly string[];
  readonly pointer: string;
  readonly value: unknown;
  /** As it is spelled, where a number may be longer than a computer's. */
  readonly source: string | undefined;
}

/** What a migration cannot tell the meaning of; `pointer` says where. */
export interface HiddenPart {
  readonly pointer: string;
  readonly reason: string;
}

/** A document as its leaves and as plain data. */
export interface DocumentData {
  readonly leaves: readonly Leaf[];
  readonly value: unknown;
  readonly hidden: readonly HiddenPart[];
}

/** Reads a document whole. Aliases and keys that stand there twice are hidden parts: nothing is guessed about them. */
export function readData(root: DocumentNode): DocumentData {
  const leaves: Leaf[] = [];
  const hidden: HiddenPart[] = [];
  const visit = (node: DocumentNode, names: readonly string[]): unknown => {
    const pointer = renderPointer(names);
    const addLeaf = (value: unknown, source?: string) => {
      leaves.push({ names, pointer, value, source });
      return value;
    };
    switch (node.kind) {
      case 'scalar':
        return addLeaf(node.value, node.source);
      case 'block scalar':
        return addLeaf(node.value);
      case 'nothing':
        return addLeaf(null);
      case 'alias':
        hidden.push({ pointer, reason: 'is an alias' });
        return undefined;
      case 'sequence': {
        const items = node.items().map((item, index) => visit(item, [...names, String(index)]));
        return items.length === 0 ? addLeaf(items) : items;
      }
      case 'mapping': {
        const members: (readonly [string, unknown])[] = [];
        for (const [name, [member, another]] of node.members()) {
          if (another !== undefined) hidden.push({ pointer: renderPointer([...names, name]), reason: 'is duplicated' });
          if (member !== undefined) members.push([name, visit(member, [...names, name])]);
        }
        // Own properties, whatever they are called.
        return members.length === 0 ? addLeaf({}) : Object.fromEntries(members);
      }
    }
  };
  const value = visit(root, []);
  return { leaves, value, hidden };
}

/** Whether two leaves hold the same value; numbers too long for a computer's are compared as they are spelled. */
export function isSameLeaf(one: Leaf, other: Leaf): boolean {
  if (typeof one.value !== 'number' || Number.isSafeInteger(one.value) || !Number.isInteger(one.value)) {
    return isSameValue(one.value, other.value);
  }
  return isSameValue(one.value, other.value) && one.source === other.source;
}

/** Whether two values of plain data are the same. */
export function isSameValue(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const names = Object.keys(one);
  if (names.length !== Object.keys(other).length) return false;
  return names.every((name) => Object.hasOwn(other, name) && isSameValue(memberOf(one, name), memberOf(other, name)));
}

/** An own member of plain data; nothing where there is none, whatever prototypes say. */
export function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return Reflect.get(value, name);
}

/** Whether a value of plain data is a mapping. */
export function isMapping(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
