import type { GuestErrorName } from '../contract/errors.ts';

/** An argument as the guest passed it: nothing was coerced. */
export type GuestArgument = string | number | bigint | boolean | null | undefined | GuestOptions | GuestOther;

/** A plain object, by its own enumerable string keys. */
export interface GuestOptions {
  readonly kind: 'options';
  readonly fields: ReadonlyMap<string, GuestArgument>;
}

/** Something that is no data: its kind in words, such as "a function". */
export interface GuestOther {
  readonly kind: 'other';
  readonly description: string;
}

/** What a helper answers. */
export type HelperAnswer =
  /** UTF-8 that the guest gets as a string. */
  | { readonly kind: 'text'; readonly utf8: Uint8Array; readonly afterReply?: () => void }
  /** Plain data. */
  | { readonly kind: 'value'; readonly value: unknown; readonly afterReply?: () => void }
  /** An error the guest may catch. */
  | {
      readonly kind: 'refused';
      readonly name: Exclude<GuestErrorName, 'never'>;
      readonly message: string;
      readonly code: string;
      readonly path: string | undefined;
    };

/** A function of the host that guest code may call; it runs on the host's thread while the guest waits. */
export type Helper = (args: readonly GuestArgument[]) => HelperAnswer | Promise<HelperAnswer>;

/** Reads the arguments as the prelude packs them (`packArguments` in guest-prelude.js). */
export function parseGuestArguments(packed: readonly unknown[]): readonly GuestArgument[] {
  return packed.map(parseGuestArgument);
}

function parseGuestArgument(packed: unknown): GuestArgument {
  if (typeof packed === 'object' && packed !== null && !Array.isArray(packed)) return notPacked;
  if (!Array.isArray(packed)) return packed as GuestArgument; // a primitive: no other types can be sent
  if (packed[0] === 'other') return { kind: 'other', description: String(packed[1]) };
  const fields = new Map<string, GuestArgument>();
  for (let index = 1; index < packed.length; index += 2) {
    fields.set(String(packed[index]), parseGuestArgument(packed[index + 1]));
  }
  return { kind: 'options', fields };
}

// The prelude packs every object; one that comes as it is was not sent by it.
const notPacked: GuestOther = { kind: 'other', description: 'an object' };

/** UTF-8 size of the texts among the arguments: what they count toward `helperBytes`. */
export function argumentBytes(args: readonly GuestArgument[]): number {
  return args.reduce<number>((sum, arg) => sum + bytesOf(arg), 0);
}

function bytesOf(arg: GuestArgument): number {
  if (typeof arg === 'string') return Buffer.byteLength(arg);
  if (typeof arg === 'bigint') return arg.toString(16).length / 2;
  if (typeof arg !== 'object' || arg === null || arg.kind === 'other') return 0;
  return argumentBytes([...arg.fields.keys(), ...arg.fields.values()]);
}
