import type { HostListing } from '../fs/host-listing.ts';
import { type RequestedInput, refuseInput } from './inputs.ts';

/** An input that was found on the host. */
export interface FoundInput {
  readonly request: RequestedInput;
  readonly kind: 'file' | 'directory';
  /** Its own name: where it lies unless it was said. */
  readonly name: string;
  readonly listing: HostListing;
}

/** The inputs with where each of them lies in the tree. */
export type Placed<Input extends FoundInput> = Input & { readonly place: string };

/**
 * Gives every input its place: a directory where it was said, a file there or in the directory that is there.
 * @throws PortholeError `ARGUMENT_INVALID` where two inputs cannot both be where they belong
 */
export function placeInputs<Input extends FoundInput>(inputs: readonly Input[]): readonly Placed<Input>[] {
  const directories = new Set<string>(['']);
  const placed = inputs.map((input) => ({ ...input, place: firstPlaceOf(input) }));
  for (const { kind, place, listing } of placed) {
    addParents(directories, place);
    if (kind === 'directory') addDirectories(directories, listing, place);
  }
  const settled = placed.map((input) => ({ ...input, place: intoDirectory(input, directories) }));
  refuseCollisions(settled);
  return settled;
}

/** Finds the input that a path of the tree belongs to: the one whose place is the longest that holds it. */
export function ownerOf<Input extends { readonly kind: 'file' | 'directory'; readonly place: string }>(
  inputs: readonly Input[],
): (path: string) => Input | undefined {
  // The longest first; a run has few inputs and may have many files.
  const sorted = [...inputs].sort((one, other) => other.place.length - one.place.length);
  return (path) => sorted.find(({ kind, place }) => path === place || (kind === 'directory' && isBelow(path, place)));
}

function firstPlaceOf({ request, name }: FoundInput): string {
  const { place } = request;
  return place === undefined ? name : place.path;
}

function intoDirectory({ request, kind, name, place }: Placed<FoundInput>, directories: ReadonlySet<string>): string {
  if (kind === 'directory' || request.place === undefined) return place;
  const isDirectory = request.place.mustBeDirectory || directories.has(place);
  return isDirectory ? joined(place, name) : place;
}

function addDirectories(directories: Set<string>, listing: HostListing, at: string): void {
  directories.add(at);
  for (const [name, inner] of listing.directories) addDirectories(directories, inner, joined(at, name));
}

function addParents(directories: Set<string>, place: string): void {
  for (let at = place.lastIndexOf('/'); at > 0; at = place.lastIndexOf('/', at - 1)) {
    directories.add(place.slice(0, at));
  }
}

function refuseCollisions(inputs: readonly Placed<FoundInput>[]): void {
  const taken = new Map<string, string>();
  for (const { request, place } of inputs) {
    const other = taken.get(place);
    if (other !== undefined) throw refuseInput(request.label, `it lands on /${place}, as ${other} does`);
    taken.set(place, request.label);
  }
  for (const file of inputs.filter(({ kind }) => kind === 'file')) {
    const below = inputs.find(({ place }) => isBelow(place, file.place));
    if (below === undefined) continue;
    throw refuseInput(
      below.request.label,
      `/${file.place} is a file by ${file.request.label}, and nothing lies below it`,
    );
  }
}

/** A path below a place of the tree. */
export function joined(place: string, path: string): string {
  if (path === '') return place;
  return place === '' ? path : `${place}/${path}`;
}

function isBelow(path: string, place: string): boolean {
  return place === '' ? path !== '' : path.startsWith(`${place}/`);
}
