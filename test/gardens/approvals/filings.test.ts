import { describe, expect, test } from 'vitest';
import { occasionsNow, openFiled, traceFilings, type Filing } from '../../../compiler/gardens/approvals/filings.ts';
import type { Trust } from '../../../compiler/gardens/approvals/trust-root.ts';
import type { Withdrawal } from '../../../compiler/schema/bundle/withdrawal.ts';
import { instant } from '../../../compiler/schema/primitives.ts';
import type { Commit } from '../../../compiler/schema/source/sources.ts';
import type { TrustRoot } from '../../../compiler/schema/source/trust-root.ts';
import { signWithdrawal } from '../../../compiler/trust/withdrawal.ts';
import { reasonOf } from '../../support/refused.ts';
import { nextRoot, person, sealRoot, staff } from '../../support/staff.ts';

const [ann, bob] = [person('ann'), person('bob')];
const trust = staff([ann]);
const [pinned, bobs] = [trust.root, staff([bob]).root];
const second = nextRoot(pinned, {}, [trust.signer]);
const T = 1_770_000_000;

let commits = 0;
/** A commit that changes these paths, to these blobs. */
function commit(committed: number, changes: Readonly<Record<string, string | null>>): Commit {
  const author = { name: 'Ada', email: 'ada@example.com' };
  const changed = Object.entries(changes).map(([path, blob]) => ({ path: `instructions/${path}`, blob }));
  return { id: String((commits += 1)), committed, authored: committed, author, changes: changed };
}

const traced = (...history: readonly Commit[]) => traceFilings(history, 'instructions', [pinned.root, second.root]);
const versions = ({ roots }: Filing) => roots.map((it) => (it === null ? null : it.version));

describe('the history of approvals', () => {
  test('names for each filed blob every commit that added it, with the roots before and after that commit', () => {
    const { byBlob, latest } = traced(
      commit(T, { 'approvals/a.json': 'a', 'org.yaml': 'org' }),
      commit(T + 1, { 'trust/1.json': '1', 'approvals/b.json': 'b' }),
      commit(T + 2, { 'approvals/b.json': null, 'trust/2.json': '2', 'approvals/a.json': 'a' }),
      commit(T + 3, { 'trust/2.json': null, 'trust/3.json': '3', 'approvals/c.json': 'c' }),
      commit(T + 4, { 'approvals/d.json': 'd' }),
    );
    const found = [...byBlob].map(([blob, filings]) => [blob, filings.map((it) => [...versions(it), it.at])]);
    expect(found).toEqual([
      [
        'a',
        [
          [1, 1, instant(T)],
          [1, 2, instant(T + 2)],
        ],
      ],
      ['b', [[1, 1, instant(T + 1)]]],
      // nothing proves root 3
      ['c', [[2, null, instant(T + 3)]]],
      ['d', [[null, null, instant(T + 4)]]],
    ]);
    expect(latest).toBe(instant(T + 4));
  });

  test('a back-dated commit filed its approvals no earlier than the commits before it', () => {
    const { byBlob, latest } = traced(commit(T, { 'org.yaml': 'org' }), commit(5, { 'approvals/a.json': 'a' }));
    expect([byBlob.get('a')?.[0]?.at, latest]).toEqual([instant(T), instant(T)]);
  });

  test('only JSON files below `approvals/` are filed', () => {
    const paths = ['approvals/a.md', 'shared/approvals/a.json', 'approvals.json', 'shared/a.json'];
    expect(traced(...paths.map((path) => commit(T, { [path]: path }))).byBlob.size).toBe(0);
    expect(traced().latest).toBe(instant(0));
  });

  test('before the first root in the sources, the pinned one was in force, whatever its version', () => {
    const { byBlob } = traceFilings([commit(T, { 'approvals/a.json': 'a' })], 'instructions', [second.root]);
    expect(byBlob.get('a')?.map(versions)).toEqual([[2, 2]]);
  });

  test('a touched root that is older than the one in force does not bring it back', () => {
    const { byBlob } = traced(
      commit(T, { 'trust/2.json': '2' }),
      commit(T, { 'trust/1.json': null, 'approvals/a.json': 'a' }),
    );
    expect(byBlob.get('a')?.map(versions)).toEqual([[2, 2]]);
  });
});

describe('the roots whose administrators order withdrawals now', () => {
  const at = instant(T);
  const under = (current: TrustRoot, more: Partial<Trust> = {}) =>
    ({ before: pinned.root, current: { root: current }, chain: [current], ...more }) as unknown as Trust & {
      before: TrustRoot;
    };

  test('are those before and after the compiled commit, both together', () => {
    expect(occasionsNow(under(second.root), at)).toEqual([{ roots: [pinned.root, second.root], at }]);
  });

  test('are, in development, each of the sources’ own alone', () => {
    const { root } = sealRoot({ ...pinned.root, development: true }, [trust.signer]);
    expect(occasionsNow(under(root, { offered: [bobs.root] }), at)).toEqual([
      { roots: [root], at },
      { roots: [bobs.root], at },
    ]);
  });
});

describe('a filed withdrawal', () => {
  const order: Withdrawal = {
    ...{ deployment: 'acme', fact_uri: 'instruction:acme/agent/cto/limits/v1', digest: 'a'.repeat(64) },
    ...{ reason: 'wrong', withdrawn_at: instant(T) },
  };
  const bytes = signWithdrawal(order, [ann.signer]);
  const at = instant(T);
  const filing = (...roots: (TrustRoot | null)[]): Filing => ({ roots, at });
  const opened = (...occasions: Filing[]) => openFiled(bytes, occasions);

  test('is valid if its signers were administrators at any occasion, by every root of that occasion', () => {
    const valid = { withdrawal: order, by: [ann.entity] };
    expect(opened(filing(pinned.root))).toEqual(valid);
    expect(opened(filing(bobs.root), filing(null), filing(pinned.root, second.root))).toEqual(valid);
    expect(reasonOf(() => opened(filing(pinned.root, bobs.root)))).toBe('key_unknown');
    expect(reasonOf(() => opened(filing(pinned.root, null)))).toBe('key_unknown');
  });

  test('is refused for the reason of the first occasion', () => {
    const two = { ...pinned.root, thresholds: { ...pinned.root.thresholds, withdrawal: 2 } };
    expect(reasonOf(() => opened(filing(two), filing(bobs.root)))).toBe('signatures_missing');
    expect(reasonOf(() => opened(filing(bobs.root), filing(two)))).toBe('key_unknown');
  });

  test('is judged by the keys at the time of the filing', () => {
    const keys = { ...pinned.root.keys, [ann.signer.keyid]: { ...annKey(), expires: instant(T + 1) } };
    const ending = { ...pinned.root, keys };
    expect(reasonOf(() => opened({ roots: [ending], at: instant(T) }))).toBe('believed');
    expect(reasonOf(() => opened({ roots: [ending], at: instant(T + 1) }))).toBe('key_expired');
  });

  const annKey = () => ({ public: ann.signer.publicPem, owner: ann.entity });
});
