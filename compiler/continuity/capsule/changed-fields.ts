import { canonicalJson } from '../../trust/canonical.ts';
import { Capsule } from '../schema/capsule.ts';

/** Members about how far a capsule is verified, not about its content. */
const IGNORED = ['verified_at', 'verification_kind', 'verification_state', 'capsule_health'];

const ORDER = [...Object.keys(Capsule.shape), ...Object.keys(Capsule.shape.continuity.shape)];

type Json = Readonly<Record<string, unknown>>;

/**
 * The fields in which two capsules differ, as dotted paths in the order of the schema. A list is compared as a whole; a
 * member that is absent or null on both sides is the same.
 */
export function changedFields(one: Capsule, other: Capsule): string[] {
  return differences(one, other, '').filter((path) => !IGNORED.includes(path.split('.')[0] ?? ''));
}

function differences(one: unknown, other: unknown, path: string): string[] {
  if (isObject(one) && isObject(other))
    return keysOf(one, other).flatMap((key) => differences(one[key], other[key], path === '' ? key : `${path}.${key}`));
  return canonicalJson(one ?? null) === canonicalJson(other ?? null) ? [] : [path];
}

function keysOf(one: Json, other: Json): string[] {
  const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])].sort();
  const place = (key: string) => ORDER.indexOf(key);
  return keys.sort((a, b) => place(a) - place(b));
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
