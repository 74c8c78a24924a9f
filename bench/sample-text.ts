/** Printable ASCII in lines, exactly this many bytes. */
export function asciiText(bytes: number): string {
  const line = 'The quick brown fox jumps over the lazy dog, 0123456789 times; then it rests.\n';
  return line.repeat(Math.ceil(bytes / line.length)).slice(0, bytes);
}

/** Text with characters of one to four bytes in UTF-8, this many bytes at most and at least 100 less. */
export function mixedText(bytes: number): string {
  const line = 'Grüße aus Zürich — naïve café, 東京タワー, Ελλάδα, мир, 👍🏽 and plain words besides.\n';
  return line.repeat(Math.floor(bytes / Buffer.byteLength(line)));
}
