import * as z from 'zod';
import { levels } from '../contract/action.ts';
import { type LimitName, limitNames, limitTable } from '../contract/limits.ts';
import { fileModes } from '../contract/mode.ts';
import { defaultQuestionMs } from './policy.ts';

// The tools a policy can leave out.
const policyToolNames = ['file_read', 'file_write', 'edit_file'] as const;

const dayMs = 24 * 60 * 60 * 1000;
const MiB = 1024 * 1024;
const defaultFileBytes = 16 * MiB;

const text = z.string().min(1);
const fileBytes = z
  .int()
  .min(1)
  .max(1024 * MiB)
  .default(defaultFileBytes);

const limitSchemas = Object.fromEntries(
  limitNames.map((name) => {
    const { minimum, maximum, unit, protects } = limitTable[name];
    return [name, z.int().min(minimum).max(maximum).optional().describe(`In ${unit}. Protects ${protects}`)];
  }),
) as Record<LimitName, z.ZodOptional<z.ZodInt>>; // built from every name

const permissionsSchema = z.strictObject({
  deny: z.array(text).default([]).describe('Rules that refuse; nothing overrides them.'),
  ask: z.array(text).default([]).describe('Rules that always ask, unless a grant answers.'),
  allow: z.array(text).default([]).describe('Rules that answer with yes, up to moderate.'),
});

const approvalSchema = z.strictObject({
  threshold: z.enum(levels).default('moderate').describe('Levels below it need no question; moderate by default.'),
  timeoutMs: z.int().min(1).max(dayMs).default(defaultQuestionMs).describe('How long a question stays open, in ms.'),
});

const filesSchema = z.strictObject({
  createDirectories: z.boolean().default(false).describe('Whether a write makes the directories it lacks.'),
  hardLinks: z.enum(['refuse', 'split']).default('refuse').describe('What a write does to a file with further names.'),
  maxReadBytes: fileBytes.describe('The largest file read whole, in bytes; 16 MiB by default.'),
  maxWriteBytes: fileBytes.describe('The largest file a write leaves behind, in bytes; 16 MiB by default.'),
  requireRaceFree: z.boolean().default(false).describe('Whether to refuse to start without race-free containment.'),
});

const stagedCopySchema = z.union([text, z.strictObject({ from: text, to: text.optional() })], {
  error: 'expected a host path, or a mapping of from and to',
});

const stagedSchema = z.strictObject({
  copy: z.array(stagedCopySchema).default([]).describe('Files and directories to copy in.'),
  copyRw: z.array(stagedCopySchema).default([]).describe('The same, and changes may be written back.'),
  exclude: z.array(text).default([]).describe('Patterns of what is left out.'),
});

const auditSchema = z.strictObject({
  path: text.optional().describe("The log file, relative to the policy file; the state directory's by default."),
  enabled: z.boolean().default(true).describe('Whether there is a log at all.'),
  content: z.boolean().default(false).describe('Whether contents and arguments are recorded beside their digests.'),
  fsync: z.boolean().default(false).describe('Whether intents wait for the disk, to survive a power cut.'),
});

const providerSchema = z.strictObject({
  kind: z.enum(['anthropic', 'openai']).describe('The protocol it speaks.'),
  baseUrl: z.url().describe('Where it answers.'),
  model: text.describe('The model to ask.'),
  apiKeyEnv: text.optional().describe('The environment variable that holds the key; none for keyless servers.'),
  authHeader: text.optional().describe('The header that carries the key, where it is not the usual one.'),
  headers: z.record(z.string(), z.string()).optional().describe('Further headers.'),
  query: z.record(z.string(), z.string()).optional().describe('Further query parameters.'),
  timeoutMs: z.int().min(1).max(dayMs).optional().describe('How long one answer is waited for, in ms.'),
  maxRetries: z.int().min(0).max(100).optional().describe('How often a failed request is repeated.'),
});

/** What a policy file may say. */
export const policySchema = z.strictObject({
  porthole: z.literal(1).describe('Version of this format: 1.'),
  mode: z.enum(fileModes).default('safe').describe('The widest mode a run may have; safe by default.'),
  root: text.optional().describe('The sandbox root, relative to the policy file; a narrower one may be chosen.'),
  tools: z.array(z.enum(policyToolNames)).optional().describe('The tools there are; all by default.'),
  writablePaths: z.array(text).default([]).describe('Further directories that tools may change.'),
  protectedPaths: z.array(text).default([]).describe('Patterns of files that nothing changes.'),
  permissions: permissionsSchema.prefault({}).describe('Rules of the form name(glob).'),
  approval: approvalSchema.prefault({}).describe('When to ask, and how long to wait.'),
  limits: z.strictObject(limitSchemas).default({}).describe('Ceilings of every run.'),
  staged: stagedSchema.prefault({}).describe('What every staged run works on copies of.'),
  files: filesSchema.prefault({}).describe('How files are read and written.'),
  audit: auditSchema.prefault({}).describe('The audit log.'),
  providers: z.record(z.string(), providerSchema).default({}).describe('Models that may be asked, by name.'),
});

/** A policy file's content with every default filled in. */
export type PolicySettings = z.infer<typeof policySchema>;

/** What a policy may say, as an object: the same keys as in a file, all optional but `porthole`. */
export type PolicyInput = DeepReadonly<z.input<typeof policySchema>>;

type DeepReadonly<Value> = Value extends object ? { readonly [Key in keyof Value]: DeepReadonly<Value[Key]> } : Value;
