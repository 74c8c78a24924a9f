/** Goes on with a value: at once where it is there, so that a caller who blocks on the answer gets it without a detour. */
export function andThen<Value, Result>(
  value: Value | Promise<Value>,
  next: (value: Value) => Result,
): Result | Promise<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}
