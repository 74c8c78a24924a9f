import { describe, expect, it } from 'vitest';
import { bytesOfCase, caseIdsThatNeedFiles, readEditCases } from './testing/edit-cases.ts';
import { digest, editInMemory } from './testing/edit-in-memory.ts';

const cases = readEditCases();
const inMemory = cases.filter(({ id }) => !caseIdsThatNeedFiles.has(id));

describe('every case of cases/edits.json that is about content', () => {
  it('is here', () => {
    expect(cases).toHaveLength(51);
    expect(inMemory).toHaveLength(46);
  });

  it.each(inMemory)('$id: $title', ({ file, call, want, says }) => {
    const before = file === undefined ? null : (bytesOfCase(file) ?? null);
    const edit = editInMemory(call, before);
    expect(edit.code).toBe(want.refused);
    expect(edit.bytes).toEqual(want.file === 'unchanged' ? before : bytesOfCase(want));
    expect(edit.text).toContain(says ?? want.says ?? '');
  });

  it('E18: two edits, one after the other, both land', () => {
    const first = editInMemory({ mode: 'replace', find: 'one', content: 'ONE' }, 'one\ntwo\n');
    const second = editInMemory({ mode: 'replace', find: 'two', content: 'TWO' }, first.bytes);
    expect(second.bytes).toEqual(new TextEncoder().encode('ONE\nTWO\n'));
  });

  it('E19: a stale whole-file write is refused', () => {
    const expectation = digest(new TextEncoder().encode('a\n'));
    const call = { mode: 'write', content: 'z\n', expect: expectation };
    expect(editInMemory(call, 'a\nb\n').code).toBe('CHANGED_SINCE_READ');
    expect(editInMemory(call, null).code).toBe('CHANGED_SINCE_READ');
    expect(editInMemory(call, 'a\n').text).toBe('wrote f.txt; now 2 bytes');
  });
});
