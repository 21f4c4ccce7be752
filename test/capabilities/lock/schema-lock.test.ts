import { describe, expect, test } from 'vitest';
import {
  assertShapesFree,
  hasLockForm,
  lockedBy,
  lockEnd,
  shapesDigest,
} from '../../../compiler/capabilities/lock/schema-lock.ts';
import { lockedShapes } from '../../../compiler/schema/json/locked-shapes.ts';
import type { Approval, UsedApproval } from '../../../compiler/schema/source/approval.ts';
import { signApproval } from '../../../compiler/trust/approval.ts';
import { canonicalJson, sha256 } from '../../../compiler/trust/canonical.ts';
import { ann, bob, eve, LOCK, OURS, root, SOON, strict } from '../../support/locks.ts';
import type { Person } from '../../support/staff.ts';

const NOW = '2026-05-04T12:00:00Z';
const envelope = (by: readonly Person[], over: Partial<Approval> = {}) =>
  signApproval(
    { ...LOCK, ...over },
    by.map((it) => it.signer),
  );

/** Whether a program with OURS may work with a bundle that has these locks. */
function allowed(
  envelopes: readonly Buffer[],
  { under = root, now = NOW, expires = SOON }: { under?: typeof root; now?: string; expires?: string | null } = {},
): boolean {
  const files = new Map(envelopes.map((bytes, i) => [`approvals/${i}.json`, bytes]));
  const used = [...files.keys()].map((path): UsedApproval => ({
    unit: null,
    kind: 'schema_lock',
    by: [ann.entity],
    note: null,
    expires,
    files: [path],
  }));
  try {
    assertShapesFree({ deployment: 'acme', used, files }, under, now, () => OURS);
    return true;
  } catch (error) {
    // the shapes of both, shortened
    expect(error).toMatchObject({
      code: 'schema_locked',
      message: expect.stringMatching(/ b{12} until 2026-05-10T12:00:00Z; .* a{12}$/) as string,
    });
    return false;
  }
}

describe('whoever starts agents from a bundle keeps to its lock (agent substrate, Lock declaration)', () => {
  test('other shapes than the locked ones are refused, and the locked ones are not', () => {
    expect(allowed([envelope([ann])])).toBe(false);
    expect(allowed([envelope([ann], { value: OURS, digest: OURS })])).toBe(true);
    expect(allowed([])).toBe(true);
  });

  test('two locks of different shapes stop everybody, whichever comes first', () => {
    const both = [envelope([ann], { value: OURS, digest: OURS }), envelope([bob])];
    expect([allowed(both), allowed(both.toReversed())]).toEqual([false, false]);
  });

  test('it ends at the expiry that was signed, or at the earlier one that the compile found', () => {
    expect(allowed([envelope([ann])], { now: SOON })).toBe(true);
    expect(allowed([envelope([ann], { expires: null })], { now: SOON })).toBe(true);
    expect(allowed([envelope([ann])], { expires: NOW })).toBe(true);
    expect(allowed([envelope([ann])], { expires: null })).toBe(false);
  });

  test('nobody but administrators stops anything: neither a stranger, nor a file that is missing or damaged', () => {
    expect(allowed([envelope([eve])])).toBe(true);
    expect(allowed([Buffer.from('{')])).toBe(true);
    const used: UsedApproval = {
      ...{ unit: null, kind: 'schema_lock', by: [ann.entity], note: null, expires: SOON, files: ['approvals/0.json'] },
    };
    const bare = { deployment: 'acme', used: [used], files: new Map<string, Buffer>() };
    expect(() => {
      assertShapesFree(bare, root, NOW, () => OURS);
    }).not.toThrow();
  });

  test.each([
    ['of another deployment', { deployment: 'globex' }],
    ['of another garden', { garden: 'cto' }],
    ['of a unit', { unit: 'limits' }],
    ['of another kind', { kind: 'grant' }],
    ['whose value is not its digest', { digest: OURS }],
  ] satisfies [string, Partial<Approval>][])('an approval %s is no lock', (_what, over) => {
    expect(allowed([envelope([ann], over)])).toBe(true);
    expect(allowed([envelope([ann])])).toBe(false);
  });

  test('where an approval takes two administrators, a lock does too, in one envelope or in two', () => {
    expect(allowed([envelope([ann])], { under: strict })).toBe(true);
    expect(allowed([envelope([ann, bob])], { under: strict })).toBe(false);
    expect(allowed([envelope([ann]), envelope([bob], { note: 'me too' })], { under: strict })).toBe(false);
    expect(allowed([envelope([ann]), envelope([ann], { note: 'twice' })], { under: strict })).toBe(true);
  });
});

describe('the term of a lock', () => {
  test('is three weeks from its first filing, or less if its expiry says so', () => {
    expect(lockEnd(null, NOW)).toBe('2026-05-25T12:00:00Z');
    expect(lockEnd(SOON, NOW)).toBe(SOON);
    expect(lockEnd('2036-01-01T00:00:00Z', NOW)).toBe('2026-05-25T12:00:00Z');
  });

  test('administrators count once for each value', () => {
    const held = lockedBy(
      [...['x', 'x', 'y'].map((value) => ({ value, by: ['ann'] })), { value: 'y', by: ['bob'] }],
      2,
    );
    expect([...held]).toEqual([['y', ['ann', 'bob']]]);
  });

  test('what vade approve writes has the form of a lock', () => {
    expect(shapesDigest()).toBe(sha256(canonicalJson(lockedShapes())));
    expect([hasLockForm(LOCK), hasLockForm({ ...LOCK, kind: 'schema_unlock' })]).toEqual([true, false]);
  });
});
