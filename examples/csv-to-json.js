// Turns a CSV file (RFC 4180: quoted fields may hold commas, quotes and line breaks) into JSON.
//
//   npx porthole run examples/csv-to-json.js --root examples/data --unsafe --allow-write \
//     --input '{"csv": "tides.csv", "json": "tides.json"}'

const { csv, json } = input_data;
const [head, ...rows] = parseCsv(read_file(csv).replace(/^\ufeff/, ''));

const records = rows.map((row, index) => {
  if (row.length !== head.length) {
    throw new Error(`record ${index + 1} has ${row.length} fields, the head has ${head.length}`);
  }
  return Object.fromEntries(head.map((name, column) => [name, readCell(row[column])]));
});

write_file(json, `${JSON.stringify(records, null, 2)}\n`);
return { records: records.length, fields: head, json };

function readCell(text) {
  if (text === '') return null;
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}

function parseCsv(text) {
  const rows = [];
  let row = [];
  let at = 0;
  while (at < text.length) {
    const [field, end] = text[at] === '"' ? quotedField(text, at) : plainField(text, at);
    row.push(field);
    at = end;
    if (text[at] === ',') {
      at += 1;
      if (at === text.length) row.push('');
      continue;
    }
    rows.push(row);
    row = [];
    at += text.startsWith('\r\n', at) ? 2 : 1;
  }
  if (row.length > 0) rows.push(row);
  return rows;
}

function plainField(text, start) {
  const rest = /[,\r\n]/g;
  rest.lastIndex = start;
  const end = rest.exec(text)?.index ?? text.length;
  return [text.slice(start, end), end];
}

function quotedField(text, start) {
  let field = '';
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] !== '"') field += text[at];
    else if (text[at + 1] === '"') field += text[at++];
    else return [field, at + 1];
  }
  throw new Error(`the quote at character ${start} is not closed`);
}
