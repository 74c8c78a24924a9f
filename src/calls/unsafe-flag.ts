/** Name of the property of the invocation context that is the second gate of a live write. */
export const unsafeFlag = '_unsafe_mode';

/** True for an own property that simply is `true`: a getter would be code, a prototype somebody else's. */
export function hasUnsafeFlag(context: object): boolean {
  return Object.getOwnPropertyDescriptor(context, unsafeFlag)?.value === true;
}
