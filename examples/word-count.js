// Counts the words of the notes it is told about and writes a report beside them.
//
//   npx porthole run examples/word-count.js --root examples/notes --input @examples/word-count.json --unsafe --allow-write
//
// A program cannot list a directory: which files there are is something the operator says, through the input.

const { notes, report } = input_data;

const counts = notes.map((name) => {
  const text = read_file(name);
  const words = text.toLowerCase().match(/\p{L}[\p{L}\p{M}'’-]*/gu) ?? [];
  return { name, lines: text.split('\n').length - 1, words };
});

const frequency = new Map();
for (const { words } of counts) {
  for (const word of words) frequency.set(word, (frequency.get(word) ?? 0) + 1);
}
const top = [...frequency]
  .filter(([word]) => word.length > 3)
  .sort(([one, n], [other, m]) => m - n || (one < other ? -1 : 1))
  .slice(0, 5);

write_file(
  report,
  [
    '# Word count',
    '',
    '| note | lines | words |',
    '|---|---:|---:|',
    ...counts.map(({ name, lines, words }) => `| ${name} | ${lines} | ${words.length} |`),
    '',
    `Most frequent: ${top.map(([word, times]) => `${word} (${times})`).join(', ')}.`,
    '',
  ].join('\n'),
);

return {
  notes: counts.length,
  words: counts.reduce((sum, { words }) => sum + words.length, 0),
  distinct: frequency.size,
  top: Object.fromEntries(top),
  report,
};
