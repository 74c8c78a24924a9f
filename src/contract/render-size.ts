const units = ['KiB', 'MiB', 'GiB', 'TiB'];

/** A number of bytes with what people read beside it: `67108864 bytes (64 MiB)`; small ones stand alone. */
export function renderSize(bytes: number): string {
  const short = shortSize(bytes);
  return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}${short === undefined ? '' : ` (${short})`}`;
}

/** A number of bytes in the largest unit that leaves at least 1, to one decimal; undefined below 1 KiB. */
export function shortSize(bytes: number): string | undefined {
  if (!(bytes >= 1024)) return undefined;
  const power = Math.min(Math.floor(Math.log2(bytes) / 10), units.length);
  return `${Math.round((bytes / 1024 ** power) * 10) / 10} ${units[power - 1]}`;
}
