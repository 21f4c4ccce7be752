import { describe, expect, test } from 'vitest';
import { canonicalBytes, sha256 } from '../../compiler/trust/canonical.ts';
import { keysWith, nextRoot, person } from '../support/staff.ts';
import { ann, bob, second, trust, root, pair, sealed, key, listOf, judge } from './withdrawal-orders.ts';

describe('DESIGN §7 what was withdrawn stays withdrawn', () => {
  const list = listOf([sealed('a')]);
  const eve = person('eve');
  const without = nextRoot(trust.root, { admins: [eve.entity], keys: keysWith(root, eve) }, [trust.signer]).root;

  const over = { ...root.keys[ann.signer.keyid]!, expires: '2020-01-01T00:00:00Z' };
  const late = { ...root, keys: { ...root.keys, [ann.signer.keyid]: over } };

  test('a fact stays withdrawn if the root lists it, whoever ordered it', () => {
    const found = judge(list, [without], { carried: new Set([key('a')]) });
    expect(found).toMatchObject({ listed: [], outlived: [], skipped: [], missing: [] });
    expect([...found.keys]).toEqual([key('a')]);
  });

  test('a fact stays withdrawn if a freshness statement confirms the order of a former administrator', () => {
    const bound = [key('a')];
    for (const chain of [[root, without], [late]]) {
      expect(judge(list, chain, { bound })).toMatchObject({ listed: bound, outlived: bound, skipped: [], missing: [] });
    }
    expect(judge(list, [without], { bound })).toMatchObject({ listed: [], missing: bound });
    expect(judge(null, [root], { bound })).toMatchObject({ listed: [], missing: bound });
  });

  test('facts are reported once, sorted; with an order for each, and apart from what the root carries', () => {
    const sealedTwice = ['d', 'b', 'c', 'a', 'b'].map((unit, i) => sealed(unit, { reason: `reason ${i}` }));
    const file = listOf(sealedTwice);
    const bound = ['f', 'd', 'e', 'b', 'a'].map(key);
    const found = judge(file, [root, without], { bound, carried: new Set([key('a')]) });
    expect(found).toMatchObject({
      listed: ['a', 'b', 'd'].map(key),
      outlived: ['b', 'd'].map(key),
      missing: ['e', 'f'].map(key),
      skipped: [{ record: sha256(canonicalBytes(JSON.parse(sealedTwice[2]!.toString()))), reason: 'key_unknown' }],
    });
    expect([...found.keys].sort()).toEqual(['a', 'b', 'd'].map(key));
    expect([...found.envelopes.keys()].sort()).toEqual(['a', 'b', 'd'].map(key));
    expect(found.envelopes.get(key('d'))).toEqual(JSON.parse(sealedTwice[0]!.toString()));
  });

  test('facts in force and facts of former administrators are listed in one order', () => {
    const file = listOf([sealed('a'), sealed('b', {}, [eve.signer])]);
    expect(judge(file, [root, without], { bound: [key('a')] })).toMatchObject({
      listed: ['a', 'b'].map(key),
      outlived: [key('a')],
    });
  });

  test('an order that is in force is not outlived, and needs no confirmation', () => {
    const found = judge(listOf([sealed('b'), sealed('a')]), [root], { bound: [key('a')] });
    expect(found).toMatchObject({ listed: ['a', 'b'].map(key), outlived: [], skipped: [], missing: [] });
  });

  test('an order with too few signatures does not withdraw a fact, but under a development root', () => {
    const signed = (by: (typeof ann)[]) =>
      listOf([
        sealed(
          'a',
          {},
          by.map((it) => it.signer),
        ),
      ]);
    expect(judge(signed([ann, second]), [pair])).toMatchObject({
      listed: [],
      skipped: [{ reason: 'signatures_missing' }],
    });
    expect(judge(signed([ann, bob]), [pair])).toMatchObject({ listed: [key('a')], skipped: [] });
    expect(judge(signed([ann]), [{ ...pair, development: true }])).toMatchObject({ listed: [key('a')], skipped: [] });
  });

  test('an order of another deployment is reported even if a fact of that name is withdrawn', () => {
    const file = listOf([sealed('a', { deployment: 'ajax' })]);
    expect(judge(file, [root], { carried: new Set([key('a')]) }).skipped).toMatchObject([
      { reason: 'statement_misplaced' },
    ]);
  });

  test('an order of former administrators alone does not withdraw a fact', () => {
    const reasons = [[root, without], [late], [without], []].map((chain) => judge(list, chain).skipped[0]?.reason);
    expect(reasons).toEqual(['key_unknown', 'key_expired', 'key_unknown', 'key_unknown']);
  });
});
