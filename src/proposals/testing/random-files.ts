/** A scalar of a generated file: how it is named, what it holds, and where it stands in the text. */
export interface RandomScalar {
  readonly key: string;
  readonly from: string;
  readonly source: string;
  readonly start: number;
}

/** A generated file and every scalar in it that an edit can reach. */
export interface RandomFile {
  readonly path: string;
  readonly text: string;
  readonly scalars: readonly RandomScalar[];
}

/** A file with comments wherever the format takes one, odd names and spellings, either line ending, marked or not. */
export function randomFile(format: 'yaml' | 'jsonc' | 'toml', seed: number): RandomFile {
  const random = randomNumbers(seed);
  const pick: Pick = (items) => items[random() % items.length] as (typeof items)[number]; // an index below the length
  const ending = pick(['\n', '\r\n']);
  const pieces = [pick(['', '\ufeff']), ...writers[format]({ key: '', indent: 0, depth: 0 }, pick), '\n'];
  let text = '';
  const scalars: RandomScalar[] = [];
  for (const piece of pieces) {
    if (typeof piece !== 'string') scalars.push({ ...piece, start: text.length });
    text += typeof piece === 'string' ? piece.replaceAll('\n', ending) : piece.source;
  }
  return { path: `v.${format}`, text, scalars };
}

type Pick = <Item>(items: readonly Item[]) => Item;
type Piece = string | { readonly key: string; readonly from: string; readonly source: string };
interface Place {
  readonly key: string;
  readonly indent: number;
  readonly depth: number;
}
type Writer = (place: Place, pick: Pick) => Piece[];

const names = ['a', 'b/c', 'd~e', 'f.g', 'é', '__proto__', 'two words', '0', '#1'];
const words = ['x', 'old', 'Always', 'a-b', 'é', '𝄞', 'it is', 'a#b', 'on'];
const texts = ['', 'x', 'two words', '# none', '1.2', 'é𝄞', 'a: b', '{', '*x', 'a,b', '"q"', 'b\\s'];

const writers: Readonly<Record<'yaml' | 'jsonc' | 'toml', Writer>> = {
  yaml: writeYamlMap,
  jsonc: writeJson,
  toml: writeToml,
};

function writeYamlMap(place: Place, pick: Pick): Piece[] {
  const { indent, key, depth } = place;
  const blanks = ' '.repeat(indent);
  return names.slice(0, pick([1, 2, 5, 9])).flatMap((name): Piece[] => {
    const inner = { key: below(key, name), indent: indent + 2, depth: depth + 1 };
    const before = pick(['', '\n', `${blanks}# ${name}: "é"\n`]);
    const after = pick(['', ' # c: d', '   # é']);
    const head = `${before}${blanks}${JSON.stringify(name)}:`;
    switch (pick(depth > 3 ? ['flow'] : ['flow', 'flow', 'map', 'list', 'folded', 'alias'])) {
      case 'map':
        return [`${head}${after}\n`, ...writeYamlMap(inner, pick)];
      case 'list':
        return [`${head}${after}\n`, ...writeYamlList(inner, pick)];
      case 'folded':
        return [`${head} ${pick(['>-', '|', '|2+'])}\n${blanks}  # no comment: [\n\n${blanks}    x: y\n`];
      case 'alias':
        return [`${head} &n${indent} 0x1F90${after}\n${blanks}${JSON.stringify(`${name} again`)}: *n${indent}\n`];
      default:
        return [
          `${head}${pick([' ', '    ', ' &unused ', ' !local '])}`,
          ...writeFlow(inner, pick, yamlLeaf),
          `${after}\n`,
        ];
    }
  });
}

function writeYamlList({ key, indent, depth }: Place, pick: Pick): Piece[] {
  const count = pick([1, 2, 4]);
  return Array.from({ length: count }, (_, index): Piece[] => {
    const place = { key: `${key}/${index}`, indent, depth: depth + 1 };
    return [`${' '.repeat(indent)}- `, ...writeFlow(place, pick, yamlLeaf), pick(['\n', ' # c\n'])];
  }).flat();
}

function writeJson(place: Place, pick: Pick): Piece[] {
  return [pick(['', '// c\n', '/* "a": 1 */ ']), ...writeFlow(place, pick, jsonLeaf, true), pick(['', ' // {'])];
}

function writeToml(place: Place, pick: Pick): Piece[] {
  const rows = (key: string): Piece[] =>
    names
      .slice(0, pick([1, 3, 9]))
      .flatMap((name): Piece[] => [
        `${pick(['', '\n', '# a = "é"\n'])}${JSON.stringify(name)}${pick([' = ', '=', '   =  '])}`,
        ...writeFlow({ ...place, key: below(key, name), depth: 2 }, pick, tomlLeaf),
        pick(['\n', ' # c = 1\n']),
      ]);
  const tables = [0, 1].flatMap((index) => [`[[t]] # ${index}\n`, ...rows(`/t/${index}`)]);
  return [...rows(''), '[u."v.w"] # c\n', ...rows('/u/v.w'), ...tables];
}

type Leaf = (key: string, pick: Pick) => Piece;

// Brackets of the three formats look alike; TOML calls for `=`, takes no quotes off names, and knows fewer commas.
function writeFlow(place: Place, pick: Pick, leaf: Leaf, isMap = false): Piece[] {
  const { key, depth } = place;
  const kind = isMap ? 'map' : pick(depth > 3 ? ['leaf'] : ['leaf', 'leaf', 'list', 'map']);
  if (kind === 'leaf') return [leaf(key, pick)];
  const isList = kind === 'list';
  const inner = isList ? ['0', '1', '2'].slice(0, pick([0, 1, 3])) : names.slice(0, pick([1, 2, 6]));
  const sign = leaf === tomlLeaf ? ' = ' : ': ';
  const items = inner.flatMap((name, index): Piece[] => [
    index > 0 ? pick([', ', ',  ']) : pick(['', ' ']),
    leaf === jsonLeaf ? pick(['', '\n  ', '/* , */ ', '// ]\n']) : '',
    isList ? '' : `${JSON.stringify(name)}${sign}`,
    ...writeFlow({ ...place, key: below(key, name), depth: depth + 1 }, pick, leaf),
  ]);
  return [isList ? '[' : '{', ...items, isList ? ']' : ' }'];
}

const yamlLeaf: Leaf = (key, pick) => {
  const numbers = ['0', '1.20', '0x1F90', '9007199254740993', '1e10', '-3', '0o17', 'true', '~', '.inf'];
  return pick([plain, double, single])(key, pick([...numbers, ...words]), pick(texts));
};

const jsonLeaf: Leaf = (key, pick) => {
  const numbers = ['0', '1.20', '9007199254740993', '1e10', '-3', '1E-2', 'true', 'null'];
  return pick([plain, double])(key, pick(numbers), pick(texts));
};

const tomlLeaf: Leaf = (key, pick) => {
  const numbers = ['9_090', '1.20', '0x1F90', '9007199254740993', '1e10', '-3', '0b11', 'true', '1979-05-27', 'inf'];
  return pick([plain, double, literal])(key, pick(numbers), pick(texts));
};

function plain(key: string, word: string): Piece {
  return { key, from: word, source: word };
}

function double(key: string, _: string, text: string): Piece {
  return { key, from: text, source: JSON.stringify(text) };
}

function single(key: string, _: string, text: string): Piece {
  return { key, from: `it's ${text}`, source: `'it''s ${text}'` };
}

function literal(key: string, _: string, text: string): Piece {
  return { key, from: text, source: `'${text}'` };
}

function below(key: string, name: string): string {
  return `${key}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

// The generator mulberry32: the same file for the same seed.
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}
