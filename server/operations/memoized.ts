/** A function that makes each value once, at its first use: one in all, or one for each value of its argument. */
export function memoized<A extends readonly [unknown?], V extends object>(make: (...args: A) => V): (...args: A) => V {
  const made = new Map<unknown, V>();
  return (...args) => {
    const value = made.get(args[0]) ?? make(...args);
    made.set(args[0], value);
    return value;
  };
}
