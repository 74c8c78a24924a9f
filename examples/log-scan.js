// Reads a log of any size through windows, so that no more than one of them is ever in memory.
//
//   node examples/make-log.js
//   npx porthole run examples/log-scan.js --root examples/logs --unsafe --input '{"log": "server.log"}' \
//     --timeout 60s --limit helperBytes=256MiB
//
// Offsets and sizes count characters, so a window never splits one; a line may well be split, and is put together.

const windowChars = 1024 * 1024;
const { log } = input_data;

const errorsByPath = {};
let slowest = { ms: -1 };
let lines = 0;
let errors = 0;
let unfinished = '';

for (let offset = 0; ; offset += windowChars) {
  const text = read_file(log, windowChars, offset);
  if (text === '') break;
  const end = text.lastIndexOf('\n') + 1;
  scan(unfinished + text.slice(0, end));
  unfinished = text.slice(end);
}
if (unfinished !== '') scan(`${unfinished}\n`);

return { lines, errors, errorsByPath, slowest };

// Looks at whole lines only, and takes apart only those it wants: 3 million of them would take a minute.
function scan(text) {
  lines += text.split('\n').length - 1;
  for (let at = text.indexOf(' ERROR '); at !== -1; at = text.indexOf(' ERROR ', at + 1)) {
    const start = text.lastIndexOf('\n', at) + 1;
    const [time, , path, duration] = text.slice(start, text.indexOf('\n', at)).split(' ');
    const ms = Number.parseInt(duration, 10);
    errors += 1;
    errorsByPath[path] = (errorsByPath[path] ?? 0) + 1;
    if (ms > slowest.ms) slowest = { time, path, ms };
  }
}
