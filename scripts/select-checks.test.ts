import { describe, expect, it } from 'vitest';
import { type Check, checks } from './checks.ts';
import { selectChecks } from './select-checks.ts';

const check = (name: string, more: Partial<Check> = {}): Check => ({ name, why: '', commands: [], ...more });
const table = [
  check('build'),
  check('unit', { needs: ['build'] }),
  check('report', { needs: ['unit'] }),
  check('bench', { byDefault: false }),
];
const names = (selected: readonly Check[]) => selected.map((one) => one.name);

describe('selectChecks()', () => {
  it('takes what runs by default when nothing is named', () => {
    expect(names(selectChecks(table, []))).toEqual(['build', 'unit', 'report']);
  });

  it('adds what a check needs, and what that needs, in the order of the table', () => {
    expect(names(selectChecks(table, ['report']))).toEqual(['build', 'unit', 'report']);
    expect(names(selectChecks(table, ['bench']))).toEqual(['bench']);
  });

  it('refuses a name that is not in the table and says what there is', () => {
    expect(() => selectChecks(table, ['unit', 'lint'])).toThrow(
      'Cannot run "lint": the checks are build, unit, report, bench',
    );
  });
});

describe('checks', () => {
  it('have names of their own, and needs that stand further up', () => {
    const seen = new Set<string>();
    for (const { name, needs = [] } of checks) {
      expect(seen.has(name), name).toBe(false);
      for (const need of needs) expect(seen.has(need), `${name} needs ${need}`).toBe(true);
      seen.add(name);
    }
  });
});
