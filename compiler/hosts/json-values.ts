import { orNull } from '../schema/or-null.ts';

/** An object of a host's settings. */
export type Json = Readonly<Record<string, unknown>>;

/** Whether a value is an object, and no list. */
export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object of a JSON text; null for any other text. */
export function objectIn(text: string): Json | null {
  const value = orNull((): unknown => JSON.parse(text));
  return isObject(value) ? value : null;
}

/** A value as a list; empty if it is none. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
