import { isMap, isScalar, isSeq, type Node, parseDocument, type Scalar, type YAMLMap, type YAMLSeq } from 'yaml';
import { nameOf, yamlFormat } from '../documents/yaml-format.ts';
import { renderPointer } from '../key-path.ts';
import { locateKey } from '../locate-key.ts';
import { writeScalar } from '../write-scalar.ts';
import { endOfLines, isFirstOnLine, lineEndAt, lineStartAt } from './block-lines.ts';
import {
  type Comparison,
  type DocumentDifference,
  insertLines,
  originOf,
  refuse,
  render,
  replace,
  type Work,
} from './document-work.ts';
import { isMapping, isSameValue, memberOf } from './leaves.ts';
import { matchRenames } from './match-renames.ts';
import { isFilled, renderItem, renderKey, renderMember, renderScalar } from './render-block.ts';

/** Compares a document with what it shall mean, key by key. */
export function compareDocuments(difference: DocumentDifference): Comparison {
  const { original, answer, file } = difference;
  const document = parseDocument(file.text, { version: '1.2', uniqueKeys: false, logLevel: 'error' });
  const work: Work = { ...difference, text: file.text, splices: [], operations: [], refusals: [] };
  const root = { node: document.contents, was: [], names: [], before: original.value, after: answer.value };
  compareValues(work, root);
  return work;
}

/** A value in both documents; renamed keys give it two ways. */
interface Place {
  readonly node: unknown;
  /** The way in the original. */
  readonly was: readonly string[];
  /** The way in the new document. */
  readonly names: readonly string[];
  readonly before: unknown;
  readonly after: unknown;
}

interface Member {
  readonly key: Scalar;
  readonly value: unknown;
}

function compareValues(work: Work, place: Place): void {
  const { node, was, before, after } = place;
  if (isSameValue(before, after)) return;
  if (isMap(node) && isMapping(after)) {
    if (node.flow === true) refuse(work, was, 'is a flow mapping');
    else compareMembers(work, node, place);
  } else if (isSeq(node) && Array.isArray(after)) {
    if (node.flow === true) refuse(work, was, 'is a flow list');
    else compareItems(work, node, place);
  } else if (isScalar(node) && !isFilled(after)) setScalar(work, place);
  else refuse(work, was, 'would become a value of another kind');
}

function compareMembers(work: Work, map: YAMLMap, place: Place): void {
  const { was, names, before, after } = place;
  const members = membersOf(map, work.text);
  if (members === undefined || !isMapping(after)) return refuse(work, was, 'has a key that is no scalar');
  const added = Object.keys(after).filter((name) => !members.has(name));
  const removed = [...members.keys()].filter((name) => !Object.hasOwn(after, name));
  const renamed = matchRenames({ added, removed, before, after });
  for (const name of Object.keys(after)) {
    const old = renamed.get(name) ?? name;
    const member = members.get(old);
    if (member === undefined) continue;
    const inner = { was: [...was, old], names: [...names, name], before: memberOf(before, old) };
    compareMember(work, member, { ...inner, node: member.value, after: memberOf(after, name) });
    if (old !== name) rename(work, member.key, inner);
  }
  const taken = new Set(renamed.values());
  for (const name of removed) {
    const member = members.get(name);
    if (member !== undefined && !taken.has(name)) removeMember(work, member, [...was, name]);
  }
  addMembers(work, { members, renamed, names, after });
}

function membersOf(map: YAMLMap, text: string): ReadonlyMap<string, Member> | undefined {
  const members = new Map<string, Member>();
  for (const { key, value } of map.items) {
    if (!isScalar(key)) return undefined;
    members.set(nameOf(key, text), { key, value });
  }
  return members;
}

function compareMember(work: Work, member: Member, place: Place): void {
  const { before, after, was, names } = place;
  const isSameKind = isFilled(before) === isFilled(after) && isMapping(before) === isMapping(after);
  if (isSameKind || isSameValue(before, after)) return compareValues(work, place);
  const { text } = work;
  const [start, end] = member.key.range ?? [0, 0];
  if (!isFirstOnLine(text, start)) return refuse(work, was, 'would become a value of another kind');
  const rendered = render(work, (originOf) => renderMember(names, after, originOf));
  const column = start - lineStartAt(text, start);
  const valueRange = isScalar(member.value) && /^[ \t]*:[ \t]*$/.test(text.slice(end, member.value.range?.[0] ?? end));
  if (valueRange && isScalar(member.value)) {
    // The key's line keeps its comment; what follows goes below it.
    const valueEnd = member.value.range?.[1] ?? end;
    replace(work, end, valueEnd, ':');
    insertLines(work, lineEndAt(text, valueEnd), { ...rendered, lines: rendered.lines.slice(1), column });
  } else {
    replace(work, lineStartAt(text, start), endOfLines(text, member.value, member.key));
    insertLines(work, lineStartAt(text, start), { ...rendered, column });
  }
  work.operations.push({ kind: 'set', key: renderPointer(names) });
}

function compareItems(work: Work, list: YAMLSeq, { was, names, before, after }: Place): void {
  if (!Array.isArray(before) || !Array.isArray(after)) return;
  for (const [index, node] of list.items.entries()) {
    const name = String(index);
    const inner = { was: [...was, name], names: [...names, name] };
    if (index < after.length) compareValues(work, { ...inner, node, before: before[index], after: after[index] });
    else removeItem(work, node, inner.was);
  }
  const first = startOf(list.items[0]);
  const column = lineOf(work.text, first).lastIndexOf('-');
  const end = endOfLines(work.text, list.items.at(-1));
  for (let index = before.length; index < after.length; index++) {
    const inner = [...names, String(index)];
    insertLines(work, end, { ...render(work, (originOf) => renderItem(inner, after[index], originOf)), column });
    work.operations.push({ kind: 'set', key: renderPointer(inner) });
  }
}

function removeItem(work: Work, node: unknown, was: readonly string[]): void {
  const { text } = work;
  const start = startOf(node);
  if (!/^ *- +$/.test(lineOf(text, start))) return refuse(work, was, 'does not stand on lines of its own');
  replace(work, lineStartAt(text, start), endOfLines(text, node));
  work.operations.push({ kind: 'remove', key: renderPointer(was) });
}

function setScalar(work: Work, { was, names, after }: Place): void {
  const located = locateKey(work.file.documents, renderPointer(was));
  if (located.kind === 'refused') {
    work.refusals.push(located.message);
    return;
  }
  const { start, end } = located.scalar;
  const { spelling } = originOf(work, renderPointer(names));
  const kept = writeScalar(located.scalar, typeof after === 'string' ? after : (spelling ?? String(after)), yamlFormat);
  const source = kept !== undefined && isSameValue(kept.value, after) ? kept.source : (spelling ?? renderScalar(after));
  // An empty value stands right behind its colon.
  const text = start === end && work.text.charAt(start - 1) !== ' ' ? ` ${source}` : source;
  replace(work, start, end, text);
  work.operations.push({ kind: 'set', key: renderPointer(names) });
}

function rename(work: Work, key: Scalar, { was, names }: Pick<Place, 'was' | 'names'>): void {
  const [start, end] = key.range ?? [0, 0];
  replace(work, start, end, renderKey(names.at(-1) ?? ''));
  work.operations.push({ kind: 'rename', from: renderPointer(was), key: renderPointer(names) });
}

function removeMember(work: Work, { key, value }: Member, was: readonly string[]): void {
  const { text } = work;
  const start = startOf(key);
  if (!isFirstOnLine(text, start)) return refuse(work, was, 'does not stand on lines of its own');
  replace(work, lineStartAt(text, start), endOfLines(text, value, key));
  work.operations.push({ kind: 'remove', key: renderPointer(was) });
}

interface Additions {
  readonly members: ReadonlyMap<string, Member>;
  readonly renamed: ReadonlyMap<string, string>;
  readonly names: readonly string[];
  readonly after: object;
}

/** New keys go behind the key they follow in the answer. */
function addMembers(work: Work, { members, renamed, names, after }: Additions): void {
  const { text } = work;
  const [first] = members.values();
  if (first === undefined) return;
  const firstStart = startOf(first.key);
  const column = firstStart - lineStartAt(text, firstStart);
  let place = isFirstOnLine(text, firstStart)
    ? lineStartAt(text, firstStart)
    : endOfLines(text, first.value, first.key);
  for (const [name, value] of Object.entries(after)) {
    const member = members.get(renamed.get(name) ?? name);
    if (member !== undefined) place = endOfLines(text, member.value, member.key);
    else {
      const inner = [...names, name];
      insertLines(work, place, { ...render(work, (origin) => renderMember(inner, value, origin)), column });
      work.operations.push({ kind: 'set', key: renderPointer(inner) });
    }
  }
}

function startOf(node: unknown): number {
  return (node as Node | null | undefined)?.range?.[0] ?? 0; // items and keys of a parsed document are nodes
}

function lineOf(text: string, offset: number): string {
  return text.slice(lineStartAt(text, offset), offset);
}
