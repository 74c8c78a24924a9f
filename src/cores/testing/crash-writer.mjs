// Replaces one file with old and new content in turn, as fast as it can, until it is killed.
// Usage: node crash-writer.mjs ROOT ADDRESS-OF-DISK-ROOT ADDRESS-OF-WRITE-FILE BYTES
const [, , root, diskRootUrl, writeFileUrl, bytes] = process.argv;
const { createDiskRoot } = await import(diskRootUrl);
const { writeFile } = await import(writeFileUrl);
const disk = createDiskRoot({ root });
const limits = { maxReadBytes: 2 ** 30, maxWriteBytes: 2 ** 30, digest: () => 'sha256:' };
const contents = ['o', 'n'].map((letter) => letter.repeat(Number(bytes)));
process.send('ready');
for (let round = 0; ; round++) {
  writeFile(disk, { path: 'f', content: contents[round % 2] }, limits);
}
