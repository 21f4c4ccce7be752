import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Withdrawal } from '../../compiler/model/withdrawal.ts';
import {
  addWithdrawal,
  openWithdrawal,
  readWithdrawn,
  sealWithdrawal,
  withdrawnKey,
} from '../../compiler/trust/withdrawal.ts';
import { reasonOf } from '../support/refused.ts';
import { keysWith, newSigner, nextRoot, person, staff } from '../support/staff.ts';

const NOW = '2026-05-04T12:00:00Z';
const [ann, bob] = [person('ann'), person('bob')];
const second = { ...ann, signer: newSigner() };
const trust = staff([ann, second, bob]);
const { root } = trust.root;
const pair = { ...root, thresholds: { ...root.thresholds, withdrawal: 2 } };

const order = (unit: string, over: Partial<Withdrawal> = {}): Withdrawal => ({
  deployment: 'acme',
  fact_uri: `instruction:acme/agent/cto/${unit}/v1`,
  digest: '0'.repeat(64),
  reason: 'it deletes data',
  withdrawn_at: NOW,
  ...over,
});
const sealed = (unit: string, over: Partial<Withdrawal> = {}, signers = [ann.signer]) =>
  sealWithdrawal(order(unit, over), signers);
const key = (unit: string) => withdrawnKey(order(unit));
const listOf = (envelopes: readonly Buffer[]) =>
  envelopes.reduce<Buffer | null>((file, it) => addWithdrawal(file, it), null);
const read = (file: Buffer | null) => [...readWithdrawn(file, [root], 'acme')].sort();

describe('DESIGN §7 the list of withdrawals', () => {
  test('is empty without a file', () => {
    expect(read(null)).toEqual([]);
  });

  test('is the same whatever came first, and however often', () => {
    const units = ['a', 'b', 'c', 'd', 'e'];
    const envelopes = units.map((unit) => sealed(unit));
    const whole = listOf(envelopes);
    fc.assert(
      fc.property(
        fc.array(fc.nat(4), { maxLength: 6 }),
        fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 5 }),
        (again, all) => {
          expect(listOf([...all, ...again].map((i) => envelopes[i]!))).toEqual(whole);
        },
      ),
    );
    expect(read(whole)).toEqual(units.map(key));
  });

  test('keeps what is there', () => {
    const file = listOf([sealed('a')]);
    expect(read(addWithdrawal(file, sealed('b')))).toEqual([key('a'), key('b')]);
  });

  test.each([
    ['of a stranger', () => sealed('b', {}, [newSigner()]), 'key_unknown'],
    ['of the key of bundles', () => sealed('b', {}, [trust.signer]), 'key_unknown'],
    ['of another deployment', () => sealed('b', { deployment: 'ajax' }), 'statement_misplaced'],
    ['of another payload type', () => trust.root.envelope, 'payload_type_wrong'],
    ['that is no envelope', () => Buffer.from('{}'), 'envelope_malformed'],
  ])('is refused whole for one record %s', (_, bad, expected) => {
    const [one, two] = [listOf([sealed('a'), bad()]), listOf([bad(), sealed('a')])];
    expect([reasonOf(() => read(one)), reasonOf(() => read(two))]).toEqual([expected, expected]);
  });

  test.each(['', '{}', '[]', '{"format":2,"envelopes":[]}', '{"format":1,"envelopes":[],"__proto__":{}}'])(
    'is refused as %j, to be read and to be added to',
    (text) => {
      const file = Buffer.from(text);
      expect(reasonOf(() => read(file))).toBe('format_unknown');
      expect(reasonOf(() => addWithdrawal(file, sealed('a')))).toBe('format_unknown');
    },
  );
});

describe('DESIGN §7 what was withdrawn stays withdrawn', () => {
  const list = listOf([sealed('a')]);
  const eve = person('eve');
  const without = nextRoot(trust.root, { admins: [eve.entity], keys: keysWith(root, eve) }, [trust.signer]).root;

  test('when the administrator leaves, and when their key’s time is over', () => {
    const over = { ...root.keys[ann.signer.keyid]!, expires: '2020-01-01T00:00:00Z' };
    const late = { ...root, keys: { ...root.keys, [ann.signer.keyid]: over } };
    expect([...readWithdrawn(list, [root, without], 'acme')]).toEqual([key('a')]);
    expect([...readWithdrawn(list, [late], 'acme')]).toEqual([key('a')]);
  });

  test('but only on the word of somebody who was one', () => {
    expect(reasonOf(() => readWithdrawn(list, [without], 'acme'))).toBe('key_unknown');
    expect(reasonOf(() => readWithdrawn(list, [], 'acme'))).toBe('key_unknown');
  });

  test('and any later version with the same text is meant, no other text', () => {
    const again = order('a', { fact_uri: 'instruction:acme/agent/cto/a/v7' });
    expect(withdrawnKey(again)).toBe(key('a'));
    expect(withdrawnKey({ ...again, digest: '1'.repeat(64) })).not.toBe(key('a'));
    expect(withdrawnKey(order('b'))).not.toBe(key('a'));
  });
});

describe('DESIGN §7 who withdraws', () => {
  test('is as many administrators as the root says, each once with however many keys', () => {
    const open = (signers: (typeof ann)[]) =>
      reasonOf(() =>
        openWithdrawal(
          sealed(
            'a',
            {},
            signers.map((it) => it.signer),
          ),
          pair,
          NOW,
        ),
      );
    expect([open([ann]), open([ann, second]), open([ann, bob])]).toEqual([
      'signatures_missing',
      'signatures_missing',
      'believed',
    ]);
  });

  test('is an administrator whose key is in time', () => {
    const keys = {
      ...root.keys,
      [ann.signer.keyid]: { public: ann.signer.publicPem, owner: ann.entity, expires: NOW },
    };
    expect(reasonOf(() => openWithdrawal(sealed('a'), { ...root, keys }, NOW))).toBe('key_expired');
  });

  test('says which fact, and why', () => {
    expect(openWithdrawal(sealed('a'), root, NOW)).toEqual({ withdrawal: order('a'), by: [ann.entity] });
    const bare = sealWithdrawal({ ...order('a'), reason: '' }, [ann.signer]);
    expect(reasonOf(() => openWithdrawal(bare, root, NOW))).toBe('format_unknown');
  });
});
