import { join } from 'node:path';
import * as z from 'zod';
import { actionNames, grantScopes, levels } from '../contract/action.ts';
import { PortholeError } from '../contract/errors.ts';
import { openStateFile } from '../fs/state-file.ts';
import type { Grant, GrantStore } from '../policy/grants.ts';

const grantSchema = z.strictObject({
  id: z.string(),
  name: z.enum(actionNames),
  // What is dangerous is never kept, so a file that says so was not written here.
  level: z.enum(levels).exclude(['dangerous']),
  scope: z.enum(grantScopes).exclude(['once', 'run']),
  root: z.string().optional(),
  grantedAt: z.number(),
  expiresAt: z.number(),
});

const grantsSchema = z.strictObject({ v: z.literal(1), grants: z.array(grantSchema) });

/** The grants kept in the state directory, shared by all processes of this user. */
export function createGrantStore(state: string, now: () => number): GrantStore {
  const path = join(state, 'grants.json');
  const file = openStateFile(path);
  const parse = (value: unknown): readonly Grant[] => parseGrants(path, value);
  const write = (grants: readonly Grant[]) => ({ v: 1, grants: grants.filter((grant) => isAlive(grant, now())) });
  return {
    load: async () => parse(file.read()),
    add: (grant) => file.update((value) => ({ value: write([...parse(value), grant]), result: undefined })),
    remove: (ids) =>
      file.update((value) => {
        const all = parse(value);
        const removed = all.filter((grant) => ids === 'all' || ids.includes(grant.id));
        return { value: write(all.filter((grant) => !removed.includes(grant))), result: removed };
      }),
  };
}

function parseGrants(path: string, value: unknown): readonly Grant[] {
  if (value === undefined) return [];
  const parsed = grantsSchema.safeParse(value);
  if (parsed.success)
    return parsed.data.grants.map(({ root, ...grant }) => (root === undefined ? grant : { ...grant, root }));
  throw new PortholeError('IO_FAILED', `Cannot use "${path}": it does not hold grants as Porthole writes them`, {
    hint: 'Look at it, and remove it to start without kept grants.',
    cause: parsed.error,
  });
}

function isAlive(grant: Grant, now: number): boolean {
  return grant.expiresAt === undefined || grant.expiresAt > now;
}
