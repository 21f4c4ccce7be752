import { describe, expect, test } from 'vitest';
import { readDecisions } from '../../../compiler/build/approvals/decisions.ts';
import { lockStates } from '../../../compiler/build/approvals/lock-states.ts';
import type { Trust } from '../../../compiler/build/approvals/trust-root.ts';
import { judgeLocks } from '../../../compiler/build/capabilities/schema-locks.ts';
import type { Approval } from '../../../compiler/schema/source/approval.ts';
import type { TrustRoot } from '../../../compiler/schema/source/trust-root.ts';
import { signApproval } from '../../../compiler/trust/approval.ts';
import { canonicalBytes, sha256 } from '../../../compiler/trust/canonical.ts';
import { ann, bob, eve, LOCK, OURS, root, SOON, strict } from '../../support/locks.ts';
import { staff, type Person } from '../../support/staff.ts';

const FILED = '2026-05-01T00:00:00Z';
const AT = '2026-05-04T12:00:00Z';
const END: Approval = {
  ...LOCK,
  ...{ kind: 'schema_unlock', note: 'the shapes change', expires: null, sources: [sha256(canonicalBytes(LOCK))] },
};
const signed = (approval: Approval, by: readonly Person[], over: Partial<Approval> = {}) =>
  signApproval(
    { ...approval, ...over },
    by.map((it) => it.signer),
  );
const lock = (by: readonly Person[], over: Partial<Approval> = {}) => signed(LOCK, by, over);
const end = (by: readonly Person[], over: Partial<Approval> = {}) => signed(END, by, over);

interface Given {
  readonly files?: readonly Buffer[];
  readonly deleted?: readonly Buffer[];
  /** When each was filed; default: all of them at FILED. */
  readonly filed?: readonly string[];
  readonly at?: string;
  readonly before?: TrustRoot;
  readonly current?: TrustRoot;
}

/** What a compile by a program with OURS makes of these files of `approvals/`. */
function judged({ files = [], deleted = [], filed = [], at = AT, before = root, current = root }: Given) {
  const all = [...files, ...deleted];
  const blobs = new Map(all.map((bytes, i) => [String(i), bytes]));
  const tree = files.map(({ length }, i) => ({ path: `${i}.json`, mode: '100644', blob: String(i), size: length }));
  const byBlob = new Map(all.map((_, i) => [String(i), [{ roots: [root], at: filed[i] ?? FILED, path: `${i}.json` }]]));
  const { decisions } = readDecisions(
    {
      files: tree,
      filings: { byBlob, latest: AT },
      read: ({ blob }) => blobs.get(blob) ?? Buffer.alloc(0),
      blob: (id) => blobs.get(id),
    },
    { before, current: { root: current }, chain: [current] } as unknown as Trust & { before: TrustRoot },
    at,
  );
  const { used, faults, files: proofs } = judgeLocks({ decisions }, () => OURS);
  return {
    states: lockStates(decisions).locks.map(({ state }) => state),
    rules: faults.map(({ rule, file }) => `${rule} ${file}`),
    used,
    proofs: [...proofs.values()],
  };
}

const rules = (given: Given) => judged(given).rules;
const REFUSED = ['schema_locked 0.json'];

describe('a lock of shapes (agent substrate, Lock declaration)', () => {
  test('refuses a compile by a program with others, and goes into the bundle of one with the same', () => {
    expect(rules({ files: [lock([ann])] })).toEqual(REFUSED);
    const same = lock([ann], { value: OURS, digest: OURS });
    expect(judged({ files: [same] })).toMatchObject({
      rules: [],
      used: [{ kind: 'schema_lock', unit: null, by: [ann.entity], expires: SOON }],
      proofs: [same],
    });
  });

  test('is in force for three weeks, or until its expiry', () => {
    const long = lock([ann], { expires: '2036-01-01T00:00:00Z' });
    const [last, over] = ['2026-05-21T23:59:59Z', '2026-05-22T00:00:00Z'];
    expect(rules({ files: [long], at: last })).toEqual(REFUSED);
    expect(rules({ files: [long], at: over })).toEqual(['approval_lapsed 0.json']);
    expect(rules({ files: [lock([ann], { expires: null })], at: over })).toEqual(['approval_lapsed 0.json']);
    expect(rules({ files: [lock([ann])], at: SOON })).toEqual(['approval_lapsed 0.json']);
  });

  test('gets no second term when its envelope is written anew', () => {
    const long = lock([ann], { expires: null });
    const anew = Buffer.from(`${JSON.stringify(JSON.parse(long.toString('utf8')), null, 2)}\n`);
    expect(anew.equals(long)).toBe(false);
    const at = '2026-06-01T00:00:00Z';
    expect(rules({ files: [anew], deleted: [long], filed: [at, FILED], at })).toEqual(['approval_lapsed 0.json']);
    expect(rules({ files: [anew], filed: [at], at })).toEqual(REFUSED);
  });

  test('stays in force when its file is deleted', () => {
    expect(rules({ deleted: [lock([ann])] })).toEqual(REFUSED);
    const same = lock([ann], { value: OURS, digest: OURS });
    expect(judged({ deleted: [same] }).used).toHaveLength(1);
  });

  test('cannot be forged: a stranger, a damaged file and another deployment stop nobody', () => {
    const forged = [lock([eve]), Buffer.from('{"payloadType":'), lock([ann], { deployment: 'globex' })];
    expect(rules({ files: forged })).toEqual([]);
    expect(rules({ deleted: forged })).toEqual([]);
    const hollow = JSON.stringify({ payloadType: 'application/vnd.vademecum.approval+json', payload: 'bnVsbA==' });
    const none = JSON.stringify({ ...(JSON.parse(hollow) as object), signatures: [] });
    expect(rules({ deleted: [hollow, none].map((it) => Buffer.from(it)) })).toEqual([]);
  });

  test('of another form than vade approve writes stops nobody, and is told', () => {
    expect(rules({ files: [lock([ann], { digest: OURS })] })).toEqual(['approval_lapsed 0.json']);
    expect(rules({ files: [lock([ann], { garden: 'cto' })] })).toEqual(['approval_lapsed 0.json']);
  });

  test('takes as many administrators as any approval, in one envelope or in several', () => {
    const under = { before: strict, current: strict };
    expect(rules({ files: [lock([ann])], ...under })).toEqual(['schema_lock_short 0.json']);
    expect(rules({ deleted: [lock([ann])], ...under })).toEqual([]);
    expect(rules({ files: [lock([ann, bob])], ...under })).toEqual(REFUSED);
    expect(rules({ files: [lock([ann])], deleted: [lock([bob])], ...under })).toEqual(REFUSED);
    const apart = [lock([ann]), lock([bob], { note: 'me too' })];
    expect(rules({ files: apart, ...under }).sort()).toEqual([...REFUSED, 'schema_locked 1.json']);
  });

  test('lapses when its administrator is none any more, before the commit or after it', () => {
    const { root: bobAlone } = staff([bob]).root;
    expect(rules({ files: [lock([ann])], current: bobAlone })).toEqual([]);
    expect(rules({ files: [lock([ann])], before: bobAlone })).toEqual([]);
  });
});

describe('the end of a lock', () => {
  test('is signed by administrators, with a reason', () => {
    const ended = { files: [lock([ann]), end([bob])] };
    expect(judged(ended)).toMatchObject({ states: ['ended'], used: [] });
    expect(rules(ended)).toEqual(['approval_lapsed 0.json', 'approval_lapsed 1.json']);
    expect(rules({ files: [lock([ann]), end([eve])] })).toEqual(REFUSED);
    expect(rules({ files: [lock([ann]), end([bob], { note: ' ' })] })).toEqual(REFUSED);
    expect(rules({ files: [lock([ann]), end([bob], { note: null })] })).toEqual(REFUSED);
  });

  test('ends the locks that it names, and not the next one of the same shapes', () => {
    const next = lock([ann], { expires: '2026-05-09T00:00:00Z' });
    expect(rules({ files: [next, end([bob])], deleted: [lock([ann])] })).toContain('schema_locked 0.json');
    expect(rules({ files: [lock([ann]), end([bob], { sources: [] })] })).toContain('schema_locked 0.json');
  });

  test('stays one when its file is deleted, or its expiry has passed', () => {
    expect(rules({ deleted: [lock([ann]), end([bob])] })).toEqual([]);
    expect(judged({ files: [lock([ann])], deleted: [end([bob])] }).states).toEqual(['ended']);
    expect(judged({ files: [lock([ann]), end([bob], { expires: FILED })] }).states).toEqual(['ended']);
  });

  test('takes as many administrators as the lock', () => {
    const under = { before: strict, current: strict };
    const files = [lock([ann, bob]), end([bob])];
    expect(rules({ files, ...under })).toEqual([...REFUSED, 'schema_lock_short 1.json']);
    expect(judged({ files: [lock([ann, bob]), end([bob, ann])], ...under }).states).toEqual(['ended']);
  });
});
