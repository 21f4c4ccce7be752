import { describe, expect, test } from 'vitest';
import { ROLLBACK_TYPE } from '../../compiler/schema/bundle/rollback.ts';
import { canonicalBytes } from '../../compiler/trust/canonical.ts';
import { signEnvelope } from '../../compiler/trust/dsse.ts';
import { assertNotOlder, isLapsed, openRollback, readRollback, signRollback } from '../../compiler/trust/rollback.ts';
import { reasonOf } from '../support/refused.ts';
import { newSigner, person, staff } from '../support/staff.ts';

const NOW = '2030-01-01T00:00:00Z';
const ann = person('ann');
const { root, signer: ci } = staff([ann]);
const RETURN = { deployment: 'acme', revision: '3-x', reason: 'bad release', expires: '2030-01-02T00:00:00Z' };

const open = (payload: object, signer = ann.signer) =>
  openRollback(signEnvelope(ROLLBACK_TYPE, canonicalBytes(payload), [signer]), root.root, 'acme', NOW);

describe('DESIGN §7 a rollback authorisation', () => {
  test('a rollback that an administrator signed is accepted', () => {
    expect(open(RETURN).revision).toBe('3-x');
  });

  test.each([
    ['key_unknown', RETURN, ci],
    ['statement_misplaced', { ...RETURN, deployment: 'ajax' }, ann.signer],
    ['not_fresh', { ...RETURN, expires: NOW }, ann.signer],
    ['format_unknown', { revision: '3-x' }, ann.signer],
  ])('a rollback is refused as %s', (reason, payload, signer) => {
    expect(reasonOf(() => open(payload, signer))).toBe(reason);
  });
});

describe('DESIGN §7 the signers and the expiry of a rollback', () => {
  const bob = person('bob');
  const pair = staff([ann, bob]).root.root;
  const two = { ...pair, thresholds: { ...pair.thresholds, rollback: 2 } };

  test('a rollback with two required signers says how many more must sign, and is refused until then', () => {
    const by = (...signers: (typeof ann.signer)[]) => readRollback(signRollback(RETURN, signers), two, NOW);
    expect(by(ann.signer)).toEqual({ rollback: RETURN, by: [ann.entity], missing: 1 });
    expect(by(ann.signer, bob.signer).missing).toBe(0);
    expect(readRollback(signRollback(RETURN, [ann.signer, bob.signer]), pair, NOW).missing).toBe(0);
    expect(reasonOf(() => openRollback(signRollback(RETURN, [ann.signer]), two, 'acme', NOW))).toBe(
      'signatures_missing',
    );
  });

  test('the key of bundles authorises a rollback under a development root alone', () => {
    const bytes = signRollback(RETURN, [ci]);
    expect(openRollback(bytes, { ...root.root, development: true }, 'acme', NOW)).toEqual(RETURN);
    expect(reasonOf(() => openRollback(bytes, root.root, 'acme', NOW))).toBe('key_unknown');
  });

  test('a rollback lapses at its expiry, whoever signed it; another statement never lapses', () => {
    const bytes = signRollback(RETURN, [newSigner()]);
    expect(isLapsed(bytes, NOW)).toBe(false);
    expect(isLapsed(bytes, RETURN.expires)).toBe(true);
    expect(isLapsed(Buffer.from('{}'), RETURN.expires)).toBe(false);
  });
});

describe('DESIGN §7 the order of bundles', () => {
  const at = (serial: number, revision: string, trust_version = 1) => ({ serial, revision, trust_version });

  test.each([
    ['a newer bundle passes', at(3, 'x'), at(4, 'y'), 'believed'],
    ['the same bundle passes', at(3, 'x'), at(3, 'x'), 'believed'],
    ['an older bundle is refused', at(3, 'x'), at(2, 'y'), 'serial_lower'],
    ['the same bundle passes after a newer trust root', at(3, 'x', 2), at(3, 'x'), 'believed'],
    ['a newer trust root passes', at(3, 'x'), at(4, 'y', 2), 'believed'],
    ['a newer bundle with an older trust root is refused', at(3, 'x', 2), at(9, 'y'), 'trust_lower'],
    ['another bundle of the same serial is refused', at(3, 'x'), at(3, 'y'), 'serial_forked'],
  ])('%s', (_, before, offered, reason) => {
    expect(
      reasonOf(() => {
        assertNotOlder(before, offered, () => false);
      }),
    ).toBe(reason);
    expect(
      reasonOf(() => {
        assertNotOlder(before, offered, () => true);
      }),
    ).toBe('believed');
  });
});
