import { type Level, levels } from '../contract/action.ts';

/** A text of an event's details; empty where there is none. Events may come from a file anybody could edit. */
export function textOf(details: object, name: string): string {
  const value: unknown = Reflect.get(details, name);
  return typeof value === 'string' ? value : '';
}

/** A number of an event's details; 0 where there is none. */
export function numberOf(details: object, name: string): number {
  const value: unknown = Reflect.get(details, name);
  return typeof value === 'number' ? value : 0;
}

/** A level of an event's details; the highest where it is not one. */
export function levelOf(details: object, name: string): Level {
  return levels.find((level) => level === textOf(details, name)) ?? 'dangerous';
}

/** The numbers of an object in an event's details; undefined where there is none. */
export function numbersOf(details: object, name: string): Readonly<Record<string, number>> | undefined {
  const value: unknown = Reflect.get(details, name);
  if (typeof value !== 'object' || value === null) return undefined;
  if (holdsNumbers(value)) return value;
  return Object.fromEntries(Object.entries(value).filter((entry) => typeof entry[1] === 'number'));
}

// What Porthole writes holds nothing else: no copy is needed.
function holdsNumbers(value: object): value is Readonly<Record<string, number>> {
  return !Array.isArray(value) && Object.values(value).every((item) => typeof item === 'number');
}
