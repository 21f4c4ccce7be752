import { z } from 'zod';
import { JSON_DEPTH } from './limits.ts';

/** Characters of a key that a fault repeats; the key is the caller's, and may be as long as a body. */
const SHOWN = 64;

/** Faults of one value that are reported; the rest follow once these are fixed. */
const MOST_FAULTS = 10;

/** Why a store could not write a value, and where in it. */
interface Fault {
  readonly path: readonly string[];
  readonly message: string;
}

/**
 * Any JSON value that a store can write: of bounded depth, with whole characters in its texts and keys, and without a
 * number beyond a double, which `JSON.parse` reads as infinite. A deeper value would exhaust the stack of what reads it
 * next.
 */
export const BoundedJson = z.unknown().check(({ value, issues }) => {
  for (const { path, message } of faultsOf(value))
    issues.push({ code: 'custom', input: value, path: [...path], message });
});

/** A key that survives as UTF-8. */
export const JsonKey = z.string().check(({ value, issues }) => {
  if (!value.isWellFormed()) issues.push({ code: 'custom', input: value, message: HALF });
});

const HALF = 'contains half of a surrogate pair';

/**
 * An object with keys of the caller's choice. `__proto__` is a key like any other: a record of zod would drop it
 * without a word.
 */
export function recordOf<V extends z.ZodType>(key: z.ZodString, value: V): z.ZodType<Record<string, z.output<V>>> {
  const { $schema: _, ...schema } = z.toJSONSchema(z.record(key, value), { io: 'input' });
  const checked = z.unknown().check(({ value: sent, issues }) => {
    if (!isObject(sent)) {
      issues.push({ code: 'invalid_type', expected: 'record', input: sent });
      return;
    }
    for (const [name, member] of Object.entries(sent) as [string, unknown][]) {
      const found = [...issuesOf(key, name), ...issuesOf(value, member)];
      for (const it of found.slice(0, MOST_FAULTS))
        issues.push({ ...it, input: member, path: [shown(name), ...it.path] } as z.core.$ZodRawIssue);
    }
  });
  return checked.meta(schema) as unknown as z.ZodType<Record<string, z.output<V>>>;
}

function issuesOf(schema: z.ZodType, value: unknown): readonly z.core.$ZodIssue[] {
  return schema.safeParse(value).error?.issues ?? [];
}

/** Without recursion. */
function faultsOf(root: unknown): readonly Fault[] {
  const faults: Fault[] = [];
  const open: { readonly value: unknown; readonly path: readonly string[] }[] = [{ value: root, path: [] }];
  for (let next = open.pop(); next && faults.length < MOST_FAULTS; next = open.pop()) {
    const { value, path } = next;
    const message = faultOf(value, path.length);
    if (message !== null) faults.push({ path, message });
    else if (isContainer(value))
      for (const [key, member] of Object.entries(value)) {
        const at = [...path, shown(key)];
        if (!key.isWellFormed()) faults.push({ path: at, message: HALF });
        open.push({ value: member, path: at });
      }
  }
  return faults;
}

function faultOf(value: unknown, depth: number): string | null {
  if (typeof value === 'string') return value.isWellFormed() ? null : HALF;
  if (typeof value === 'number')
    return Number.isFinite(value) ? null : 'is a number beyond 1.8e308, which cannot be stored';
  return isContainer(value) && depth >= JSON_DEPTH ? `is deeper than ${JSON_DEPTH} levels` : null;
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isObject(value: unknown): value is object {
  return isContainer(value) && !Array.isArray(value);
}

function shown(key: string): string {
  return key.slice(0, SHOWN).toWellFormed();
}
