// Fills a small file system and prints what became of it, as JSON.
// Usage: node no-space-writer.mjs ROOT ADDRESS-OF-DISK-ROOT ADDRESS-OF-WRITE-FILE
import { readdirSync, readFileSync } from 'node:fs';

const [, , root, diskRootUrl, writeFileUrl] = process.argv;
const { createDiskRoot } = await import(diskRootUrl);
const { writeFile } = await import(writeFileUrl);
const disk = createDiskRoot({ root });
const limits = { maxReadBytes: 2 ** 30, maxWriteBytes: 2 ** 30, digest: () => 'sha256:' };
const attempt = (input) => {
  try {
    writeFile(disk, input, limits);
    return 'done';
  } catch (error) {
    return error.code;
  }
};
writeFile(disk, { path: 'f', content: 'old' }, limits);
const large = 'x'.repeat(1024 * 1024);
const codes = [
  attempt({ path: 'f', content: large }),
  attempt({ path: 'f', content: large, mode: 'a' }),
  attempt({ path: 'n', content: large }),
  attempt({ path: 'f', content: 'small' }),
];
process.stdout.write(JSON.stringify({ codes, names: readdirSync(root), text: readFileSync(`${root}/f`, 'utf8') }));
