import { fileModes } from '../contract/mode.ts';
import { explain, renderExplanation } from '../policy/explain.ts';
import { type Rule, ruleEffects } from '../policy/rules.ts';
import { currentDirectory } from '../runtime/node-powers.ts';
import { loadPolicyFile } from '../runtime/policy-file.ts';
import type { ParsedArguments } from './arguments.ts';
import type { Command } from './command.ts';
import { exitCodes } from './exit-codes.ts';
import { writeJson } from './output.ts';
import { describeSituation, findPolicy, loadPolicy } from './policy-in-force.ts';
import { reportProblems } from './policy-problems.ts';
import { testPolicy } from './policy-test.ts';
import { requireName } from './positionals.ts';
import { UsageError } from './usage-error.ts';
import type { World } from './world.ts';

/** `porthole policy`. */
export const policyCommand: Command = {
  usage: 'porthole policy check [FILE] | explain NAME PATH | test FILE [flags]',
  about: [
    'check names everything that is wrong with a policy file. explain says what the policy in force decides about an',
    'action, by which rule, and which rules it looked at. test runs a table of actions and what must come out.',
  ].join('\n'),
  flags: ['policy', 'mode', 'root', 'json'],
  examples: [
    ['porthole policy check', 'check the policy file of the current directory'],
    ['porthole policy explain edit_file src/app.ts', 'what happens to an edit, and why'],
    ['porthole policy explain file_read .env --mode safe', 'the same in safe mode'],
    ['porthole policy test policy-tests.yaml', 'rows of {action: edit_file docs/a.md, expect: allow}'],
  ],
  run: (world, args) => {
    const [what, ...rest] = args.positionals;
    const known = Object.keys(parts);
    const name = requireName(what, { kind: 'part', known, help: `The parts are ${known.join(', ')}.` });
    return parts[name as keyof typeof parts](world, args, rest); // one of `known`
  },
};

const parts = { check: checkPolicy, explain: explainPolicy, test: testPolicy } as const;

function checkPolicy(world: World, args: ParsedArguments, [file, ...others]: readonly string[]): number {
  if (others.length > 0) throw new UsageError('check takes one file');
  const found = file ?? findPolicy(args);
  if (found === undefined) throw new UsageError('there is no policy file here', 'Name the file.');
  return reportProblems(world, args, () => {
    const { rules } = loadPolicyFile(found, currentDirectory()).policy;
    const counts = ruleEffects.map((effect) => `${rules[effect].length} ${effect}`);
    if (args.has('json')) writeJson(world, { ok: true, file: found });
    else world.out.write(`${found}: usable, rules: ${counts.join(', ')}\n`);
    return exitCodes.done;
  });
}

function explainPolicy(world: World, args: ParsedArguments, [name, path, ...others]: readonly string[]): number {
  if (name === undefined || path === undefined || others.length > 0) {
    const example = name === 'run' ? 'run sha256:0a1b, with the digest of a program' : 'edit_file src/app.ts';
    throw new UsageError('explain takes an action and a path', `As in porthole policy explain ${example}.`);
  }
  if (path.split('/').includes('..')) {
    throw new UsageError(`no action has the path ${path}: it contains ".."`, 'Name the file from the root downwards.');
  }
  const mode = parseMode(args.value('mode'));
  return reportProblems(world, args, () => {
    const policy = loadPolicy(args, mode);
    const situation = describeSituation(policy, { name, path, ...(mode === undefined ? {} : { mode }) });
    const explanation = explain(policy, situation);
    if (!args.has('json')) {
      world.out.write(renderExplanation(policy, situation, explanation));
      return exitCodes.done;
    }
    const { decision, considered, notReached } = explanation;
    const { kind, reason, line, rule } = decision;
    writeJson(world, {
      kind,
      ...(kind === 'deny' ? { code: decision.code } : {}),
      reason,
      line,
      level: situation.level,
      levelReason: situation.levelReason,
      mode: situation.mode,
      ...(rule === undefined ? {} : { rule: describeRule(rule) }),
      considered: considered.map((entry) => ({ ...describeRule(entry.rule), result: entry.result })),
      notReached,
    });
    return exitCodes.done;
  });
}

function parseMode(given: string | undefined) {
  if (given === undefined) return undefined;
  const mode = fileModes.find((known) => known === given);
  if (mode === undefined) throw new UsageError(`there is no mode ${given}`, `The modes are ${fileModes.join(', ')}.`);
  return mode;
}

function describeRule({ effect, text, line, column }: Rule): object {
  return { effect, text, line, column };
}
