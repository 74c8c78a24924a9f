import { attacksOnModes } from './attacks-on-modes.ts';
import { attacksOnPlaces } from './attacks-on-places.ts';
import { attacksOnWrites } from './attacks-on-writes.ts';
import type { Attack } from './bench.ts';

/** Every attack on the file layer that needs no second process. */
export const attacks: readonly Attack[] = [...attacksOnPlaces, ...attacksOnWrites, ...attacksOnModes];
