// Renames an exported function in every module of a tree, imports and calls included, and leaves strings and comments
// of the wrong name alone.
//
//   node examples/make-tree.js
//   npx porthole run examples/codemod.js --copy-rw examples/tree --diff-file renamed.patch
//
// On a terminal, the command shows how far it is with copying. The program either completes, and all its files are
// written back, or it does not, and none is.

const { from = 'waterLevel', to = 'tideLevel' } = input_data ?? {};
// What a name may stand in, longest first: only outside of these is it code.
const tokens = new RegExp(
  String.raw`//[^\n]*|/\*[^]*?\*/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|` + '`(?:\\\\.|[^`\\\\])*`' + String.raw`|(?<![\w$.])${from}(?![\w$])`,
  'g',
);

let files = 0;
let names = 0;
for (const path of list_files()) {
  if (!path.endsWith('.js')) continue;
  const before = read_file(path);
  let found = 0;
  const after = before.replace(tokens, (token) => {
    if (token !== from) return token;
    found += 1;
    return to;
  });
  if (found === 0) continue;
  write_file(path, after);
  files += 1;
  names += found;
}

console.log(`renamed ${from} to ${to}: ${names} times in ${files} files`);
return { files, names };
