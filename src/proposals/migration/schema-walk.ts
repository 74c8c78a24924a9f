import { parsePointer } from '../key-path.ts';
import { isSameValue, memberOf } from './leaves.ts';

/** A JSON Schema: an object, or true and false. */
export type Schema = unknown;

/** What a schema says about one place of a document. */
export interface SchemaPlace {
  /** Whether some document that fits the schema has something there. */
  readonly isAllowed: boolean;
  /** Whether that place may hold this scalar, by its type and the values the schema names. */
  readonly fits: (value: unknown) => boolean;
  /** The values the schema itself names for the place: `default`, `enum`, `const`. */
  readonly vocabulary: readonly unknown[];
}

/** Follows the way to a place through a schema: `properties` and `items`, and whatever stands beside or behind them. */
export function schemaAt(root: Schema, names: readonly string[]): SchemaPlace {
  const steps = { root, chain: [] };
  let schema: Schema = root;
  let named: readonly unknown[] = [];
  for (const name of names) {
    named = [...named, ...literalsOf(schema, steps)].map((value) => memberOf(value, name));
    const next = step(schema, name, steps);
    if (next === undefined) return { isAllowed: false, fits: () => false, vocabulary: [] };
    schema = next.schema;
  }
  const vocabulary = [...named, ...literalsOf(schema, steps)].filter((value) => value !== undefined);
  return { isAllowed: true, fits: (value) => isFitting(schema, value, steps), vocabulary };
}

interface Walk {
  readonly root: Schema;
  /** The schemas that are being looked at for this very place: references can go round in circles. */
  readonly chain: readonly object[];
}

interface Step {
  readonly schema: Schema;
  /** Whether the name is spoken of, which is what `unevaluatedProperties` asks. */
  readonly isNamed: boolean;
}

// What a member has to fit, as a schema made of the parts that apply to it; nothing where it may not be.
function step(schema: Schema, name: string, walk: Walk): Step | undefined {
  if (typeof schema !== 'object' || schema === null)
    return schema === false ? undefined : { schema: true, isNamed: false };
  if (walk.chain.includes(schema)) return { schema: true, isNamed: false };
  const own = ownStep(schema, name);
  if (own === undefined) return undefined;
  const inner = { ...walk, chain: [...walk.chain, schema] };
  const parts: Step[] = [own];
  for (const part of allParts(schema, walk.root)) {
    const next = step(part, name, inner);
    if (next === undefined) return undefined;
    parts.push(next);
  }
  for (const choice of choices(schema)) {
    const open = choice.flatMap((branch) => step(branch, name, inner) ?? []);
    if (open.length === 0) return undefined;
    parts.push({ schema: { anyOf: open.map((one) => one.schema) }, isNamed: open.some(({ isNamed }) => isNamed) });
  }
  const isNamed = parts.some((part) => part.isNamed);
  if (!isNamed && (isClosed(schema, 'unevaluatedProperties') || isClosed(schema, 'unevaluatedItems'))) return undefined;
  return { schema: { allOf: parts.map((part) => part.schema) }, isNamed };
}

function ownStep(schema: object, name: string): Step | undefined {
  const types = typesOf(schema);
  const isIndex = /^(?:0|[1-9]\d*)$/.test(name);
  const mayBeObject = types === undefined || types.includes('object');
  const mayBeList = isIndex && (types === undefined || types.includes('array'));
  const found = [
    ...(mayBeObject ? memberSteps(schema, name) : []),
    ...(mayBeList ? itemSteps(schema, Number(name)) : []),
  ];
  if (found.length === 0 && !(mayBeObject || mayBeList)) return undefined;
  if (found.includes(false)) return undefined;
  return { schema: { allOf: found }, isNamed: found.length > 0 };
}

function memberSteps(schema: object, name: string): readonly Schema[] {
  const declared = memberOf(memberOf(schema, 'properties'), name);
  const patterns = Object.entries(memberOf(schema, 'patternProperties') ?? {});
  const matching = patterns.filter(([pattern]) => isMatch(pattern, name)).map(([, part]): Schema => part);
  const found = declared === undefined ? matching : [declared, ...matching];
  const rest = memberOf(schema, 'additionalProperties');
  return found.length > 0 || rest === undefined ? found : [rest];
}

function itemSteps(schema: object, index: number): readonly Schema[] {
  const items = memberOf(schema, 'items');
  // Draft 7 writes lists of schemas as `items`, 2020-12 as `prefixItems`.
  const prefix = Array.isArray(items) ? items : memberOf(schema, 'prefixItems');
  if (Array.isArray(prefix) && index < prefix.length) return [prefix[index]];
  const rest = Array.isArray(items) ? memberOf(schema, 'additionalItems') : items;
  return rest === undefined ? [] : [rest];
}

function isMatch(pattern: string, name: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(name);
  } catch {
    return false; // what is no pattern has been refused when the schema was compiled
  }
}

function isFitting(schema: Schema, value: unknown, walk: Walk): boolean {
  if (typeof schema !== 'object' || schema === null) return schema !== false;
  if (walk.chain.includes(schema)) return true;
  const inner = { ...walk, chain: [...walk.chain, schema] };
  const types = typesOf(schema);
  if (types !== undefined && !types.some((type) => isOfType(value, type))) return false;
  const constant = memberOf(schema, 'const');
  if (constant !== undefined && !isSameValue(constant, value)) return false;
  const list = memberOf(schema, 'enum');
  if (Array.isArray(list) && !list.some((one) => isSameValue(one, value))) return false;
  const fitsOne = (part: Schema) => isFitting(part, value, inner);
  return allParts(schema, walk.root).every(fitsOne) && choices(schema).every((choice) => choice.some(fitsOne));
}

function literalsOf(schema: Schema, walk: Walk): readonly unknown[] {
  if (typeof schema !== 'object' || schema === null || walk.chain.includes(schema)) return [];
  const list = memberOf(schema, 'enum');
  const own = ['default', 'const'].flatMap((word) => (Object.hasOwn(schema, word) ? [memberOf(schema, word)] : []));
  const inner = { ...walk, chain: [...walk.chain, schema] };
  const parts = [...allParts(schema, walk.root), ...choices(schema).flat()];
  return [...own, ...(Array.isArray(list) ? list : []), ...parts.flatMap((part) => literalsOf(part, inner))];
}

/** What applies besides the schema itself, always. */
function allParts(schema: object, root: Schema): readonly Schema[] {
  const all = memberOf(schema, 'allOf');
  const references = [memberOf(schema, '$ref'), memberOf(schema, '$dynamicRef')].filter(
    (one) => typeof one === 'string',
  );
  return [...(Array.isArray(all) ? all : []), ...references.map((one) => resolve(one, root))];
}

/** What applies in one of several forms. */
function choices(schema: object): readonly (readonly Schema[])[] {
  const lists = [memberOf(schema, 'anyOf'), memberOf(schema, 'oneOf')].filter((one) => Array.isArray(one));
  const hasCondition = Object.hasOwn(schema, 'if');
  const branches = [memberOf(schema, 'then') ?? true, memberOf(schema, 'else') ?? true];
  return hasCondition ? [...lists, branches] : lists;
}

// References within the schema; to anything else the walk has nothing to say, and so nothing is displaced or named.
function resolve(reference: string, root: Schema): Schema {
  if (!reference.startsWith('#')) return true;
  const names = parsePointer(decodeURIComponent(reference.slice(1)));
  if (names === undefined) return findAnchor(root, reference.slice(1)) ?? true;
  return names.reduce<unknown>(memberOf, root) ?? true;
}

function findAnchor(schema: unknown, anchor: string): Schema {
  if (typeof schema !== 'object' || schema === null) return undefined;
  if (memberOf(schema, '$anchor') === anchor || memberOf(schema, '$dynamicAnchor') === anchor) return schema;
  for (const part of Object.values(schema)) {
    const found = findAnchor(part, anchor);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isClosed(schema: object, word: string): boolean {
  return memberOf(schema, word) === false;
}

function typesOf(schema: object): readonly unknown[] | undefined {
  const type = memberOf(schema, 'type');
  return type === undefined ? undefined : Array.isArray(type) ? type : [type];
}

function isOfType(value: unknown, type: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'integer':
      return Number.isInteger(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    default:
      return typeof value === type;
  }
}
