import { describe, it } from 'vitest';
import { attacks } from '../testing/attacks.ts';
import { coreModules } from '../testing/core-surface.ts';

describe('attacks on the file layer', () => {
  it.each(attacks)('$title', ({ run }) => run(coreModules));
});
