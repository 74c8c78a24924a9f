import { equalBytes } from './utf8.ts';

// Large enough that calls cost nothing beside comparing, small enough that little is compared twice.
const step = 4096;

/** How many bytes two files have in common at their beginning. */
export function countSameAtStart(one: Uint8Array, other: Uint8Array): number {
  const shorter = Math.min(one.length, other.length);
  let same = 0;
  while (same + step <= shorter && equalBytes(one.subarray(same, same + step), other.subarray(same, same + step)))
    same += step;
  while (same < shorter && one[same] === other[same]) same++;
  return same;
}

/** How many bytes two files have in common at their end. */
export function countSameAtEnd(one: Uint8Array, other: Uint8Array): number {
  const shorter = Math.min(one.length, other.length);
  const piece = (bytes: Uint8Array, left: number) => bytes.subarray(bytes.length - left - step, bytes.length - left);
  let same = 0;
  while (same + step <= shorter && equalBytes(piece(one, same), piece(other, same))) same += step;
  while (same < shorter && one[one.length - 1 - same] === other[other.length - 1 - same]) same++;
  return same;
}
