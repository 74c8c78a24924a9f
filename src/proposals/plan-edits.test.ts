import { describe, expect, it } from 'vitest';
import { planInMemory, textOf } from './testing/plan-in-memory.ts';

const files = { 'a.yaml': 'v: 1 # é\nw: "0x10"\nx: 0x10\n', 'b.toml': 'v = 1\n', 'c.json': '{"v": 1}' };

describe('planEdits()', () => {
  it('plans several edits in several files, each file once', async () => {
    const plan = await planInMemory(files, [
      edit('c.json', '/v'),
      edit('a.yaml', '/x', '0x10', '0x20'),
      edit('b.toml', 'v'),
      edit('./a.yaml', '/w', '0x10', '0x20'),
      edit('a.yaml', '/v'),
    ]);
    expect(plan.files.map(({ path, after }) => [path, textOf(after)])).toEqual([
      ['c.json', '{"v": 2}'],
      ['a.yaml', 'v: 2 # é\nw: "0x20"\nx: 0x20\n'],
      ['b.toml', 'v = 2\n'],
    ]);
    expect(plan.applied.map(({ edit }) => edit)).toEqual([1, 2, 3, 4, 5]);
  });

  it('states a scalar as it is spelled and as what it means', async () => {
    const { applied } = await planInMemory(files, [
      edit('a.yaml', '/x', '0x10', '0x20'),
      edit('a.yaml', '/w', '0x10', '0x20'),
    ]);
    expect(applied).toMatchObject([
      { before: { source: '0x10', value: '16' }, after: { source: '0x20', value: '32' } },
      { before: { source: '"0x10"', value: '0x10' }, after: { source: '"0x20"', value: '0x20' } },
    ]);
  });

  it('changes no file if one edit is refused, and says every refusal at once', async () => {
    const plan = await planInMemory(
      files,
      [
        edit('a.yaml', '/v'),
        edit('a.yaml', '/nope'),
        edit('b.toml', '/v', '7'),
        edit('c.json', '/v', '1', '1'),
        edit('.github/x.yaml', '/v'),
        edit('missing.yaml', '/v'),
        edit('link/a.yaml', '/v'),
      ],
      { links: ['link/a.yaml'] },
    );
    expect(plan).toMatchObject({ files: [], applied: [], already: [{ edit: 4, holds: { source: '1', value: '1' } }] });
    expect(plan.rejected.map(({ edit, message }) => [edit, message])).toEqual([
      [2, 'key "/nope" not found'],
      [3, 'key "/v" holds "1", not the expected "7"; refusing to overwrite'],
      [5, 'path is denied (.github/**)'],
      [6, 'file not found'],
      [7, 'path goes through a link'],
    ]);
  });

  it('changes nothing where every value is there, and that is no refusal', async () => {
    const plan = await planInMemory(files, [edit('a.yaml', '/v', '0', '1'), edit('b.toml', '/v', '0', '1')]);
    expect(plan).toMatchObject({ files: [], applied: [], rejected: [], already: [{ edit: 1 }, { edit: 2 }] });
  });

  it('applies the rest where some values are there', async () => {
    const plan = await planInMemory(files, [edit('a.yaml', '/v', '0', '1'), edit('b.toml', '/v')]);
    expect(plan.files.map(({ path }) => path)).toEqual(['b.toml']);
  });

  it('refuses a second edit of one scalar, however it is named', async () => {
    const plan = await planInMemory(files, [edit('a.yaml', '/v'), edit('./a.yaml', 'v', '1', '3')]);
    expect(plan.rejected).toMatchObject([{ edit: 2, message: 'key "v" is edited twice' }]);
    expect(plan.files).toEqual([]);
  });
});

function edit(path: string, key: string, from = '1', to = '2') {
  return { path, key, from, to };
}
