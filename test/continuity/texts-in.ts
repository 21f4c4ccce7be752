/** Every text of a JSON value, keys included. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, it]) => [...(Array.isArray(value) ? [] : [key]), ...textsIn(it)]);
}
