import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffLines } from './line-diff.ts';
import { atLeast } from './testing/random-files.ts';

const someLines = (letters: string) => fc.array(fc.constantFrom(...letters), { maxLength: 30 });

function applyChanges(oldLines: readonly string[], newLines: readonly string[]): readonly string[] {
  const parts: (readonly string[])[] = [];
  let position = 0;
  for (const { oldStart, oldEnd, newStart, newEnd } of diffLines(oldLines, newLines)) {
    parts.push(oldLines.slice(position, oldStart), newLines.slice(newStart, newEnd));
    position = oldEnd;
  }
  return [...parts, oldLines.slice(position)].flat();
}

describe('diffLines()', () => {
  it('turns any lines into any others', () => {
    fc.assert(
      fc.property(someLines('ab'), someLines('abc'), someLines('abcdefghijkl'), (one, other, third) => {
        expect(applyChanges(one, other)).toEqual(other);
        expect(applyChanges(one, third)).toEqual(third);
        expect(applyChanges(third, [...third, ...one])).toEqual([...third, ...one]);
      }),
      atLeast(1500),
    );
  });

  it('leaves an equal line between two changes', () => {
    fc.assert(
      fc.property(someLines('abc'), someLines('abcdef'), (one, other) => {
        const changes = diffLines(one, other);
        for (const [index, change] of changes.entries()) {
          expect(change.oldEnd - change.oldStart + change.newEnd - change.newStart).toBeGreaterThan(0);
          const next = changes[index + 1];
          if (next === undefined) continue;
          expect(next.oldStart).toBeGreaterThan(change.oldEnd);
          expect(next.oldStart - change.oldEnd).toBe(next.newStart - change.newEnd);
        }
      }),
      atLeast(2000),
    );
  });

  it('finds the fewest changes where nothing is unique', () => {
    expect(diffLines([...'abcabba'], [...'cbabac'])).toHaveLength(4);
    expect(diffLines([...'aaa'], [...'aaaa'])).toEqual([{ oldStart: 3, oldEnd: 3, newStart: 3, newEnd: 4 }]);
  });

  it('keeps unique lines in place around what moved', () => {
    const before = ['a {', '}', '', 'b {', '}'];
    const after = ['a {', '}', '', 'new {', '}', '', 'b {', '}'];
    expect(diffLines(before, after)).toEqual([{ oldStart: 3, oldEnd: 3, newStart: 3, newEnd: 6 }]);
  });

  it('keeps thousands of small changes apart', () => {
    const before = Array.from({ length: 10_000 }, (_, index) => `line ${index}`);
    const after = before.map((line, index) => (index % 2 === 0 ? line : `${line}, changed`));
    expect(diffLines(before, after)).toHaveLength(5000);
  });

  it.each([
    ['repeated lines', (index: number) => `${index % 2}`, (index: number) => `${index % 3}`],
    [
      'empty lines with rare marks',
      (index: number) => (index % 997 ? '' : 'x'),
      (index: number) => (index % 991 ? '' : 'x'),
    ],
    ['nothing in common', (index: number) => `a${index}`, (index: number) => `b${index}`],
    ['all lines the other way round', (index: number) => `${index}`, (index: number) => `${199_999 - index}`],
  ])('answers for 200,000 lines of %s', (_, oldLine, newLine) => {
    const before = Array.from({ length: 200_000 }, (_line, index) => oldLine(index));
    const after = Array.from({ length: 200_000 }, (_line, index) => newLine(index));
    const started = performance.now();
    expect(applyChanges(before, after)).toEqual(after);
    expect(performance.now() - started).toBeLessThan(10_000);
  });
});
