import type { GivenValue } from '../../schema/capability/parameters.ts';

/**
 * Small readers of JSON that fail closed: the gate starts for every tool call, and a schema library would cost more
 * time than all that it does.
 */
type Fields = Readonly<Record<string, unknown>>;

export function asFields(value: unknown): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new TypeError('not an object');
  return value as Fields;
}

/** The own value of a field: `__proto__` and its like are none. */
export function fieldOf(from: Fields, name: string): unknown {
  if (!Object.hasOwn(from, name)) throw new TypeError(`${name} is missing`);
  return from[name];
}

export function textOf(from: Fields, name: string): string {
  const value = fieldOf(from, name);
  if (typeof value !== 'string') throw new TypeError(`${name} is not a string`);
  return value;
}

export function textOrNull(from: Fields, name: string): string | null {
  return fieldOf(from, name) === null ? null : textOf(from, name);
}

export function flagOf(from: Fields, name: string): boolean {
  const value = fieldOf(from, name);
  if (typeof value !== 'boolean') throw new TypeError(`${name} is not true or false`);
  return value;
}

export function itemsOf(from: Fields, name: string): readonly unknown[] {
  const value = fieldOf(from, name);
  if (!Array.isArray(value)) throw new TypeError(`${name} is not a list`);
  return value;
}

export function textsOf(from: Fields, name: string): readonly string[] {
  return itemsOf(from, name).map((it) => {
    if (typeof it !== 'string') throw new TypeError(`${name} is not a list of strings`);
    return it;
  });
}

/** A list with no more texts than it may have. */
export function boundedTexts(from: Fields, name: string, most: number): readonly string[] {
  if (itemsOf(from, name).length > most) throw new TypeError(`${name} is too long`);
  return textsOf(from, name);
}

export function parametersOf(from: Fields, name: string): Record<string, GivenValue> {
  const values = asFields(fieldOf(from, name));
  // a null prototype: no parameter can be one that every object has
  const parameters = Object.create(null) as Record<string, GivenValue>;
  for (const key of Object.keys(values)) parameters[key] = valueOf(values, key);
  return parameters;
}

function valueOf(from: Fields, key: string): GivenValue {
  const value = from[key];
  if (Array.isArray(value)) return [...textsOf(from, key)];
  if (typeof value === 'boolean' || typeof value === 'number') return value;
  throw new TypeError(`the parameter ${key} has an unsupported type`);
}
