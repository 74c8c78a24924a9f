import { type Grant, renderGrantPattern } from '../policy/grants.ts';
import { createGrantStore } from '../runtime/grant-store.ts';
import { stateDirectory } from '../runtime/node-powers.ts';
import { renderVisibleLine } from '../text/visible-text.ts';
import type { ParsedArguments } from './arguments.ts';
import type { Command } from './command.ts';
import { exitCodes } from './exit-codes.ts';
import { writeJson } from './output.ts';
import { requireName } from './positionals.ts';
import { UsageError } from './usage-error.ts';
import type { World } from './world.ts';

/** `porthole approvals`. */
export const approvalsCommand: Command = {
  usage: 'porthole approvals list | revoke ID... | revoke --all [flags]',
  about: 'Lists and revokes the grants that outlive a run: answers given for a root or for everywhere, for 30 days.',
  flags: ['all', 'json'],
  examples: [
    ['porthole approvals list', 'what answers questions without asking'],
    ['porthole approvals revoke --all', 'ask again about everything'],
  ],
  run: (world, args) => {
    const [what, ...ids] = args.positionals;
    const known = Object.keys(parts);
    const name = requireName(what, { kind: 'part', known, help: `The parts are ${known.join(', ')}.` });
    return parts[name as keyof typeof parts](world, args, ids); // one of `known`
  },
};

const parts = { list: listApprovals, revoke: revokeApprovals } as const;

async function listApprovals(world: World, args: ParsedArguments, others: readonly string[]): Promise<number> {
  if (others.length > 0 || args.has('all')) throw new UsageError('list takes nothing more');
  const now = Date.now();
  const kept = (await openGrants().load()).filter((grant) => endOf(grant) > now);
  if (args.has('json')) writeJson(world, kept.map(describeGrant));
  else if (kept.length === 0) world.err.write('there are no kept grants\n');
  else world.out.write(kept.map(renderGrant).join(''));
  return exitCodes.done;
}

async function revokeApprovals(world: World, args: ParsedArguments, ids: readonly string[]): Promise<number> {
  if (args.has('all') === ids.length > 0) throw new UsageError('revoke takes ids, or --all');
  const removed = await openGrants().remove(args.has('all') ? 'all' : ids);
  const unknown = ids.filter((id) => !removed.some((grant) => grant.id === id));
  if (unknown.length > 0) {
    throw new UsageError(`there is no grant ${unknown.join(', ')}`, 'porthole approvals list shows them.');
  }
  if (args.has('json')) writeJson(world, { ok: true, revoked: removed.map(({ id }) => id) });
  else world.err.write(`${removed.length} ${removed.length === 1 ? 'grant' : 'grants'} revoked\n`);
  return exitCodes.done;
}

function openGrants() {
  return createGrantStore(stateDirectory(), Date.now);
}

function describeGrant(grant: Grant): object {
  const { id, level, scope, root, grantedAt } = grant;
  const times = { grantedAt: isoTime(grantedAt), expiresAt: isoTime(endOf(grant)) };
  return { id, pattern: renderGrantPattern(grant), level, scope, ...(root === undefined ? {} : { root }), ...times };
}

function renderGrant(grant: Grant): string {
  const place = grant.root === undefined ? 'everywhere' : `below ${renderVisibleLine(grant.root)}`;
  const until = isoTime(endOf(grant)).slice(0, 10);
  return `${grant.id}  ${renderGrantPattern(grant)}  up to ${grant.level}, ${place}, until ${until}\n`;
}

// A grant without an end belongs to a run, and no run is going on here.
function endOf(grant: Grant): number {
  return grant.expiresAt ?? 0;
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
