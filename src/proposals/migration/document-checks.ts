import { quoteText } from '../../text/shown-line.ts';
import { parsePointer } from '../key-path.ts';
import type { CompiledSchema } from './compile-schema.ts';
import { type DocumentData, isSameLeaf, isSameValue, type Leaf, memberOf } from './leaves.ts';
import { type Schema, type SchemaPlace, schemaAt } from './schema-walk.ts';

/** What a new document is held against. */
export interface MigrationTarget {
  readonly schema: Schema;
  readonly compiled: CompiledSchema;
  /** JSON Pointers to the values that say what the document is; its kind, name and namespace by default. */
  readonly identity?: readonly string[];
  /** What `/apiVersion` has to be; as in the original by default. */
  readonly apiVersion?: string;
}

/** A value of the original that the new document does not have. */
export interface LostValue {
  readonly key: string;
  readonly value: string;
}

/** A value whose case was changed to what the schema calls it. */
export interface RespelledValue {
  readonly key: string;
  readonly from: string;
  readonly to: string;
}

/** What was found: refusals, and what a person should see although nothing is refused for it. */
export interface CheckedDocument {
  readonly refusals: readonly string[];
  readonly lost: readonly LostValue[];
  readonly respelled: readonly RespelledValue[];
  /** Where displaced values went: the pointer in the new document, and the one in the original. */
  readonly moves: ReadonlyMap<string, string>;
}

const defaultIdentity = ['/kind', '/metadata/name', '/metadata/namespace'];

/** Checks identity, schema and the provenance of every value; all that is wrong is said at once. */
export function checkDocument(original: DocumentData, answer: DocumentData, target: MigrationTarget): CheckedDocument {
  const hidden = [...original.hidden, ...answer.hidden].map(
    ({ pointer, reason }) => `key ${quoteText(pointer)} ${reason}`,
  );
  if (hidden.length > 0) return { refusals: [...new Set(hidden)], lost: [], respelled: [], moves: new Map() };
  const traced = traceValues(original, answer, target);
  const misfits = target.compiled(answer.value).map((problem) => `does not fit the schema: ${problem}`);
  return { ...traced, refusals: [...checkIdentity(original, answer, target), ...misfits, ...traced.refusals] };
}

function checkIdentity(original: DocumentData, answer: DocumentData, target: MigrationTarget): readonly string[] {
  const { identity = defaultIdentity, apiVersion } = target;
  const pointers = identity.includes('/apiVersion') ? identity : ['/apiVersion', ...identity];
  return pointers.flatMap((pointer) => {
    const names = parsePointer(pointer);
    if (names === undefined) return [`identity ${quoteText(pointer)} is no JSON Pointer`];
    const before = names.reduce(memberOf, original.value);
    const wanted = pointer === '/apiVersion' ? (apiVersion ?? before) : before;
    const found = names.reduce(memberOf, answer.value);
    return isSameValue(wanted, found) ? [] : [`identity ${pointer} is ${show(found)}, not ${show(wanted)}`];
  });
}

/**
 * Where every value comes from, by its place: the same place of the original, a place that the schema no longer has,
 * or the schema itself. A value that keeps its place in the original gives nothing to another: a name copied into a new
 * field is an invention.
 */
function traceValues(original: DocumentData, answer: DocumentData, target: MigrationTarget): CheckedDocument {
  const before = new Map(original.leaves.map((leaf) => [leaf.pointer, leaf]));
  const kept = new Set<Leaf>();
  const open: Leaf[] = [];
  for (const leaf of answer.leaves) {
    const same = before.get(leaf.pointer);
    if (same !== undefined && isSameLeaf(same, leaf)) kept.add(same);
    else if (isScalarValue(leaf.value) && !isPrescribed(leaf, target)) open.push(leaf);
  }
  const gone = original.leaves.filter((leaf) => !kept.has(leaf));
  const displaced = new Set(gone.filter((leaf) => isDisplaced(leaf, target.schema)));
  const moves = new Map<string, string>();
  const respelled: RespelledValue[] = [];
  const refusals: string[] = [];
  for (const leaf of open) {
    const source = [...displaced].find((one) => isSameLeaf(one, leaf));
    const place = schemaAt(target.schema, leaf.names);
    if (source !== undefined) {
      displaced.delete(source);
      kept.add(source);
      moves.set(leaf.pointer, source.pointer);
    } else if (place.vocabulary.some((value) => isSameValue(value, leaf.value))) {
      const old = findRespelled(leaf, [before.get(leaf.pointer), ...displaced], kept);
      if (old === undefined) continue;
      displaced.delete(old);
      kept.add(old);
      respelled.push({ key: leaf.pointer, from: String(old.value), to: String(leaf.value) });
    } else refusals.push(refuseValue(leaf, original.leaves, place));
  }
  const lost = original.leaves.filter((leaf) => !kept.has(leaf) && !isPrescribedPlace(leaf, target));
  const lostValues = lost.map((leaf) => ({ key: leaf.pointer, value: showLeaf(leaf) }));
  return { refusals, lost: lostValues, respelled, moves };
}

function isScalarValue(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}

// What the caller requires needs no other source.
function isPrescribed(leaf: Leaf, target: MigrationTarget): boolean {
  return isPrescribedPlace(leaf, target) && leaf.value === target.apiVersion;
}

function isPrescribedPlace({ pointer }: Leaf, { apiVersion }: MigrationTarget): boolean {
  return pointer === '/apiVersion' && apiVersion !== undefined;
}

function isDisplaced({ names, value }: Leaf, schema: Schema): boolean {
  const place = schemaAt(schema, names);
  return !place.isAllowed || !place.fits(value);
}

function findRespelled(
  leaf: Leaf,
  candidates: readonly (Leaf | undefined)[],
  kept: ReadonlySet<Leaf>,
): Leaf | undefined {
  const { value } = leaf;
  if (typeof value !== 'string') return undefined;
  const isSameWord = (one: unknown) => typeof one === 'string' && one.toLowerCase() === value.toLowerCase();
  return candidates.find((one) => one !== undefined && !kept.has(one) && isSameWord(one.value));
}

const maxListed = 20;

function refuseValue(leaf: Leaf, originals: readonly Leaf[], { vocabulary }: SchemaPlace): string {
  const about = `key ${quoteText(leaf.pointer)} holds ${showLeaf(leaf)}, which`;
  const elsewhere = originals.find((one) => isSameLeaf(one, leaf));
  const words = [...new Set(vocabulary.slice(0, maxListed).map(show))].join(', ');
  const named = words === '' ? '' : `; the schema names ${words}`;
  if (elsewhere === undefined) return `${about} is not in the original${named}`;
  return `${about} belongs to ${quoteText(elsewhere.pointer)} in the original and was not displaced from there${named}`;
}

// A number as it is spelled, since it may be longer than a computer's.
function showLeaf({ value, source }: Leaf): string {
  return typeof value === 'number' && source !== undefined ? quoteText(source) : show(value);
}

function show(value: unknown): string {
  return value === undefined
    ? 'nothing'
    : typeof value === 'string'
      ? quoteText(value)
      : quoteText(JSON.stringify(value));
}
