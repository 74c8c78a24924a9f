// Finds runs of blank lines, lines that end in blanks, and blank lines at a file's end, and puts them right.
//
//   npx porthole run examples/blank-lines.js --copy examples/notes            # reports
//   npx porthole run examples/blank-lines.js --copy examples/notes --diff     # shows the fixes as a patch
//   npx porthole run examples/blank-lines.js --copy-rw examples/notes         # fixes
//
// The program is the same each time, and so is its output: it always works on a copy, and the operator decides what
// becomes of that. Name your own directory, and leave out what is not yours with --exclude.

const counts = { files: 0, clean: 0, fixed: 0, skipped: 0 };

for (const path of list_files()) {
  counts.files += 1;
  const text = readText(path);
  if (text === null) {
    counts.skipped += 1;
    continue;
  }
  const fixed = tidy(text);
  if (fixed === text) {
    counts.clean += 1;
    continue;
  }
  counts.fixed += 1;
  console.log(`${path}: ${text.split('\n').length - fixed.split('\n').length} lines fewer`);
  write_file(path, fixed);
}

return counts;

// Line ends stay what they are: a file with CRLF keeps it.
function tidy(text) {
  return text
    .replace(/[ \t]+(?=\r?\n|$)/g, '')
    .replace(/(\r?\n)(?:\r?\n){2,}/g, '$1$1')
    .replace(/(\r?\n)(?:\r?\n)+$/, '$1');
}

// Null for a file that holds no text.
function readText(path) {
  try {
    return read_file(path);
  } catch (error) {
    if (error.code === 'NOT_UTF8' || error.code === 'FILE_TOO_LARGE') return null;
    throw error;
  }
}
