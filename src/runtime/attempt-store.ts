import { join } from 'node:path';
import * as z from 'zod';
import { PortholeError } from '../contract/errors.ts';
import { openStateFile } from '../fs/state-file.ts';
import type { AttemptStore } from '../proposals/attempts.ts';

const entrySchema = z.strictObject({
  root: z.string(),
  change: z.string(),
  used: z.int().min(1),
  lastAt: z.number(),
});

const attemptsSchema = z.strictObject({ v: z.literal(1), attempts: z.array(entrySchema) });

type Entry = Readonly<z.infer<typeof entrySchema>>;

/** The attempts on a root's changes, kept in the state directory and shared by all processes of this user. */
export function createAttemptStore(state: string, root: string, now: () => number): AttemptStore {
  const path = join(state, 'attempts.json');
  const file = openStateFile(path);
  const usedIn = (entries: readonly Entry[], change: string): number =>
    entries.find((entry) => entry.root === root && entry.change === change)?.used ?? 0;
  return {
    used: async (change) => usedIn(parseEntries(path, file.read()), change),
    take: (change, max) =>
      file.update<number | undefined>((value) => {
        const entries = parseEntries(path, value);
        const used = usedIn(entries, change);
        if (used >= max) return { value: { v: 1, attempts: entries }, result: undefined };
        const others = entries.filter((entry) => entry.root !== root || entry.change !== change);
        const taken = { root, change, used: used + 1, lastAt: now() };
        return { value: { v: 1, attempts: [...others, taken] }, result: taken.used };
      }),
  };
}

// A file that cannot be read must not give a change its attempts back.
function parseEntries(path: string, value: unknown): readonly Entry[] {
  if (value === undefined) return [];
  const parsed = attemptsSchema.safeParse(value);
  if (parsed.success) return parsed.data.attempts;
  throw new PortholeError('IO_FAILED', `Cannot use "${path}": it does not hold attempts as Porthole writes them`, {
    hint: 'Look at it, and remove it to count all changes anew.',
    cause: parsed.error,
  });
}
