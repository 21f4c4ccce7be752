/** Whether JavaScript itself chooses the place of a key in an object, or whether it is no key of its own. */
function isOdd(key: string): boolean {
  const first = key.charCodeAt(0);
  return (first >= 0x30 && first <= 0x39) || key === '__proto__';
}

/**
 * The same JSON value with the keys of every object in the order of RFC 8785, so that `JSON.stringify`, which is native
 * code, writes it at once. What is in order already is not copied.
 *
 * @returns undefined for what only the library judges: keys that no object holds in that order, values that JSON has not
 */
export function inKeyOrder(value: unknown): unknown {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (Array.isArray(value)) return eachInOrder(value);
  return typeof value === 'object' && isPlain(value) ? membersInOrder(value) : undefined;
}

function isPlain(value: object): value is Record<string, unknown> {
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && !('toJSON' in value);
}

function eachInOrder(values: readonly unknown[]): readonly unknown[] | undefined {
  if ('toJSON' in values) return undefined;
  let copy: unknown[] | null = null;
  for (let at = 0; at < values.length; at++) {
    const ordered = inKeyOrder(values[at]);
    if (ordered === undefined) return undefined;
    if (ordered !== values[at]) (copy ??= [...values])[at] = ordered;
  }
  return copy ?? values;
}

function membersInOrder(value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> | undefined {
  const keys = Object.keys(value);
  let isSame = keys.every((key, at) => at === 0 || (keys[at - 1] ?? '') < key);
  const copy: Record<string, unknown> = {};
  for (const key of isSame ? keys : keys.sort()) {
    if (isOdd(key)) return undefined;
    const member = value[key];
    if (member === undefined) continue;
    const ordered = inKeyOrder(member);
    if (ordered === undefined) return undefined;
    isSame &&= ordered === member;
    copy[key] = ordered;
  }
  return isSame ? value : copy;
}
