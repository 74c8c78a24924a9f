import { describe, expect, it } from 'vitest';
import type { Diagnosis } from './diagnosis.ts';
import { renderDiagnosis } from './doctor-command.ts';
import { createFakeWorld } from './testing/fake-world.ts';

const sound: Diagnosis = {
  ok: true,
  porthole: '1.2.3',
  node: 'v20',
  root: { path: '/r', containment: 'descriptor walk', isRaceFree: true, leftovers: [] },
  stateDirectory: { path: '/s', exists: true },
  limits: [
    { limit: 'timeMs', attempt: 'a loop', ceiling: 200, unit: 'ms', stoppedBy: 'limit time', ms: 201, isHeld: true },
  ],
};

describe('renderDiagnosis()', () => {
  it('is a report of one line for each thing', () => {
    expect(renderDiagnosis(createFakeWorld([]), sound)).toBe(
      [
        'porthole 1.2.3, node v20',
        'root: /r',
        'containment: descriptor walk (free of races)',
        'state directory: /s (exists)',
        'leftovers: none',
        'limits:',
        '  timeMs  a loop  200 ms  201 ms  held  limit time',
        'all limits held',
        '',
      ].join('\n'),
    );
  });

  it('does not hide what is wrong', () => {
    const [limit] = sound.limits;
    const broken: Diagnosis = {
      ...sound,
      ok: false,
      root: { ...sound.root, containment: 'verified open', isRaceFree: false, leftovers: ['a\u001b.tmp'] },
      stateDirectory: { path: '/s', exists: false },
      limits: limit === undefined ? [] : [{ ...limit, isHeld: false, stoppedBy: 'nothing: it ended completed' }],
    };
    const text = renderDiagnosis(createFakeWorld([]), broken);
    expect(text).toContain('containment: verified open (a race can be won against it: see the threat model)');
    expect(text).toContain('state directory: /s (not there yet)');
    expect(text).toContain('leftovers: 1, safe to delete\n  a\\u{1b}.tmp\n');
    expect(text).toContain('201 ms  NOT HELD  nothing: it ended completed\nNOT ALL LIMITS HELD\n');
  });
});
