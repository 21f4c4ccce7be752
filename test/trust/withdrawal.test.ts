import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_ENVELOPE_BYTES } from '../../compiler/schema/bundle/bundle.ts';
import { MAX_WITHDRAWALS } from '../../compiler/schema/bundle/withdrawal.ts';
import { sha256 } from '../../compiler/trust/canonical.ts';
import {
  addWithdrawal,
  isWithdrawn,
  listWithdrawals,
  openWithdrawal,
  readWithdrawal,
  signWithdrawal,
  withdrawnKey,
} from '../../compiler/trust/withdrawal.ts';
import { reasonOf } from '../support/refused.ts';
import { newSigner } from '../support/staff.ts';
import { NOW, ann, bob, second, trust, root, pair, order, sealed, key, listOf, judge } from './withdrawal-orders.ts';

const read = (file: Buffer | null) => [...judge(file).keys].sort();

describe('DESIGN §7 the list of withdrawals', () => {
  test('the list of withdrawals is empty without a file', () => {
    expect(read(null)).toEqual([]);
  });

  test('the list of withdrawals does not depend on order or repetition', () => {
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

  test('adding a withdrawal keeps the present ones', () => {
    const file = listOf([sealed('a')]);
    expect(read(addWithdrawal(file, sealed('b')))).toEqual([key('a'), key('b')]);
  });

  test.each([
    ['of a stranger', () => sealed('b', {}, [newSigner()]), 'key_unknown'],
    ['of the key of bundles', () => sealed('b', {}, [trust.signer]), 'key_unknown'],
    ['of another deployment', () => sealed('b', { deployment: 'ajax' }), 'statement_misplaced'],
    ['of another payload type', () => trust.root.envelope, 'payload_type_wrong'],
    ['that is no envelope', () => Buffer.from('{}'), 'envelope_malformed'],
    ['with a malformed URI', () => signWithdrawal({ ...order('b'), fact_uri: 'a b' }, [ann.signer]), 'format_unknown'],
  ])('a record %s is skipped and reported', (_, bad, expected) => {
    const { keys, skipped } = judge(listOf([sealed('a'), bad(), sealed('c')]));
    expect([[...keys].sort(), skipped.map((it) => it.reason)]).toEqual([[key('a'), key('c')], [expected]]);
  });

  test('the list of withdrawals cannot grow beyond what can be read', () => {
    const many = Array.from({ length: MAX_WITHDRAWALS }, (_, n) => ({ n }));
    expect(reasonOf(() => listWithdrawals([...many, {}]))).toBe('withdrawals_full');
    const { keys, skipped } = judge(listWithdrawals(many));
    expect([keys.size, skipped.length]).toEqual([0, MAX_WITHDRAWALS]);
  });

  test('the list of withdrawals cannot be larger than a reader takes, however few they are', () => {
    const bytes = (length: number) => listWithdrawals(['x'.repeat(length)]).length;
    const most = MAX_ENVELOPE_BYTES - bytes(0);
    expect(bytes(most)).toBe(MAX_ENVELOPE_BYTES);
    expect(reasonOf(() => bytes(most + 1))).toBe('withdrawals_full');
  });

  test('a deeply nested record does not prevent reading the others', () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const file = Buffer.from(`{"format":1,"envelopes":[${deep},${sealed('a').toString()}]}`);
    const { keys, skipped } = judge(file);
    expect([...keys]).toEqual([key('a')]);
    expect(skipped).toMatchObject([{ record: sha256(''), reason: 'envelope_malformed' }]);
  });

  test('only one signature of each key is checked in an envelope', () => {
    const { signatures, ...rest } = JSON.parse(sealed('a').toString()) as { signatures: { keyid: string }[] };
    const bad = { ...signatures[0], sig: Buffer.alloc(64).toString('base64') };
    const twice = Buffer.from(
      JSON.stringify({ ...rest, signatures: [...signatures, ...new Array<object>(60).fill(bad)] }),
    );
    expect(judge(listOf([twice])).skipped).toMatchObject([{ reason: 'key_unknown' }]);
  });

  test.each(['', '{}', '[]', '{"format":2,"envelopes":[]}', '{"format":1,"envelopes":[],"__proto__":{}}'])(
    'a malformed list of withdrawals cannot be read or extended: %j',
    (text) => {
      const file = Buffer.from(text);
      expect(reasonOf(() => read(file))).toBe('format_unknown');
      expect(reasonOf(() => addWithdrawal(file, sealed('a')))).toBe('format_unknown');
    },
  );
});

describe('DESIGN §7 the signers of a withdrawal', () => {
  test('a withdrawal needs as many administrators as the root says, each counted once', () => {
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

  test('an order says how many more administrators must sign', () => {
    const missing = (signers: (typeof ann)[], under = pair) =>
      readWithdrawal(
        sealed(
          'a',
          {},
          signers.map((it) => it.signer),
        ),
        under,
        NOW,
      ).missing;
    expect([missing([ann]), missing([ann, bob]), missing([ann, bob], root)]).toEqual([1, 0, 0]);
    expect(missing([ann], { ...pair, development: true })).toBe(0);
  });

  test('the key of bundles orders under a development root alone', () => {
    const bytes = sealed('a', {}, [trust.signer]);
    expect(openWithdrawal(bytes, { ...root, development: true }, NOW)).toEqual({ withdrawal: order('a'), by: [] });
    expect(reasonOf(() => openWithdrawal(bytes, root, NOW))).toBe('key_unknown');
  });

  test('a withdrawal covers later versions with the same text, but no other text', () => {
    const again = order('a', { fact_uri: 'instruction:acme/agent/cto/a/v7' });
    expect(withdrawnKey(again)).toBe(key('a'));
    expect(withdrawnKey({ ...again, digest: '1'.repeat(64) })).not.toBe(key('a'));
    expect(withdrawnKey(order('b'))).not.toBe(key('a'));
  });

  test('a withdrawn fact is recognised by its series and its text', () => {
    const withdrawn = new Set([key('a')]);
    const fact = { uri: 'instruction:acme/agent/cto/a/v12', digest: order('a').digest };
    expect(isWithdrawn(withdrawn, fact)).toBe(true);
    expect(isWithdrawn(withdrawn, { ...fact, digest: '1'.repeat(64) })).toBe(false);
    expect(isWithdrawn(withdrawn, { ...fact, uri: 'instruction:acme/agent/cto/b/v1' })).toBe(false);
    expect(withdrawnKey({ ...order('a'), fact_uri: 'instruction:acme/v1/cto/a' })).toContain('/v1/');
  });

  test('a withdrawal needs an administrator’s key that has not expired', () => {
    const keys = {
      ...root.keys,
      [ann.signer.keyid]: { public: ann.signer.publicPem, owner: ann.entity, expires: NOW },
    };
    expect(reasonOf(() => openWithdrawal(sealed('a'), { ...root, keys }, NOW))).toBe('key_expired');
  });

  test('an opened withdrawal gives the fact and the reason', () => {
    expect(openWithdrawal(sealed('a'), root, NOW)).toEqual({ withdrawal: order('a'), by: [ann.entity] });
    const bare = signWithdrawal({ ...order('a'), reason: '' }, [ann.signer]);
    expect(reasonOf(() => openWithdrawal(bare, root, NOW))).toBe('format_unknown');
  });
});
