import { describe, expect, test } from 'vitest';
import { FRESHNESS_TYPE, type Freshness } from '../../compiler/schema/bundle/freshness.ts';
import type { TrustRoot } from '../../compiler/schema/source/trust-root.ts';
import { canonicalBytes } from '../../compiler/trust/canonical.ts';
import { signEnvelope } from '../../compiler/trust/dsse.ts';
import { boundBy, openFreshness, signFreshness } from '../../compiler/trust/freshness.ts';
import { reasonOf } from '../support/refused.ts';
import { newSigner, person, staff } from '../support/staff.ts';

const NOW = '2030-01-01T00:00:00Z';
const LATER = '2030-01-01T00:00:01Z';
const OF = { deployment: 'acme', revision: '3-x' };
const WITHDRAWN = [`cto/limits ${'0'.repeat(64)}`];
const STATEMENT: Freshness = { ...OF, issued: '2029-12-31T00:00:00Z', expires: LATER, withdrawals: [] };
const { root, signer } = staff([person('ann')]);
const clock = newSigner();
/** A root that names a key for freshness alone. */
const clocked: TrustRoot = {
  ...root.root,
  keys: { ...root.root.keys, [clock.keyid]: { public: clock.publicPem } },
  roles: { ...root.root.roles, freshness: { keyids: [clock.keyid], threshold: 1 } },
};

const open = (statement: Freshness, by = signer, under = root.root) =>
  openFreshness(signFreshness(statement, [by]), under, OF, NOW);

describe('DESIGN §7 a freshness statement', () => {
  test('a freshness statement of this bundle that has not expired is accepted', () => {
    expect(open(STATEMENT)).toEqual(STATEMENT);
  });

  test.each([
    ['of another revision', 'not_fresh', { revision: '2-x' }],
    ['that expires at this instant', 'not_fresh', { expires: NOW }],
    ['of another deployment', 'statement_misplaced', { deployment: 'ajax' }],
  ])('a freshness statement %s is refused: %s', (_, reason, over) => {
    expect(reasonOf(() => open({ ...STATEMENT, ...over }))).toBe(reason);
  });

  test('a freshness statement without a list of withdrawals is refused', () => {
    const bytes = signEnvelope(FRESHNESS_TYPE, canonicalBytes({ ...STATEMENT, withdrawals: undefined }), [signer]);
    expect(reasonOf(() => openFreshness(bytes, root.root, OF, NOW))).toBe('format_unknown');
  });

  test('the key of bundles signs freshness only while the root names no key for it', () => {
    expect(open(STATEMENT, clock, clocked)).toEqual(STATEMENT);
    expect(reasonOf(() => open(STATEMENT, signer, clocked))).not.toBe('believed');
    expect(reasonOf(() => open(STATEMENT, clock))).not.toBe('believed');
  });
});

describe('DESIGN §7 what a freshness statement withdraws', () => {
  const bound = (bytes: Buffer | null, deployment = 'acme') => boundBy(bytes, root.root, deployment, NOW);
  const listing = { ...STATEMENT, expires: NOW, revision: '2-x', withdrawals: WITHDRAWN };

  test('a freshness statement binds what it lists even when it has expired or is of another revision', () => {
    expect(bound(signFreshness(listing, [signer]))).toEqual(listing.withdrawals);
  });

  test('no statement, a forged one and one of another deployment bind nothing', () => {
    expect(bound(null)).toEqual([]);
    expect(bound(signFreshness(listing, [newSigner()]))).toEqual([]);
    expect(bound(signFreshness(listing, [signer]), 'ajax')).toEqual([]);
    expect(bound(Buffer.from('no envelope'))).toEqual([]);
  });
});
