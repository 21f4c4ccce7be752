import { describe, expect, test } from 'vitest';
import { COVERAGE_THRESHOLD } from '../../compiler/schema/bundle/coverage.ts';
import type { Fact } from '../../compiler/schema/bundle/fact.ts';
import type { GardenPredicate } from '../../compiler/schema/bundle/garden.ts';
import { VadeError } from '../../compiler/schema/errors.ts';
import type { TrustRoot } from '../../compiler/schema/source/trust-root.ts';
import { Delivery } from '../../compiler/schema/source/unit.ts';
import { manifestInputDigest, signApproval, type Claim } from '../../compiler/trust/approval.ts';
import { canonicalBytes, sha256 } from '../../compiler/trust/canonical.ts';
import {
  assertCertified,
  bindingOf,
  bypassClaim,
  bypassThreshold,
  type Bound,
} from '../../compiler/trust/certificate.ts';
import { reasonOf } from '../support/refused.ts';
import { person, staff, type Person } from '../support/staff.ts';
import { unitCoverage } from '../support/unit-coverage.ts';

const NOW = '2030-01-01T00:00:00Z';
const [ann, bob, eve] = ['ann', 'bob', 'eve'].map((name) => person(name)) as [Person, Person, Person];
const { root } = staff([ann, bob, eve]).root;

const fact = (name: string, over: { guarantee_load?: boolean; intents?: string[]; signed_by?: string } = {}) => {
  const { guarantee_load = false, intents = [], ...more } = over;
  const delivery = Delivery.parse({ description: `About ${name}`, guarantee_load, load_triggers: { intents } });
  return { name, delivery, authored_by: 'acme/human/ada', source_digest: sha256(name), ...more } as Fact;
};
const proven = { signed_by: 'SHA256:x' };

function failureOf(read: () => unknown): VadeError {
  try {
    read();
  } catch (error) {
    if (error instanceof VadeError) return error;
  }
  throw new TypeError('it did not fail as it should');
}

describe('§21.8.3 S7 how many administrators must approve a bypass', () => {
  const needing = (approval: number, unproven_authors?: number): TrustRoot => ({
    ...root,
    thresholds: { ...root.thresholds, approval, ...(unproven_authors !== undefined && { unproven_authors }) },
  });
  test.each([
    ['one administrator is enough if no unit is guaranteed', [fact('a')], needing(1), 1],
    [
      'two administrators are needed if any unit is guaranteed',
      [fact('a'), fact('b', { guarantee_load: true })],
      needing(1),
      2,
    ],
    [
      'the root can require more administrators for each approval',
      [fact('a', { guarantee_load: true })],
      needing(3),
      3,
    ],
    [
      'the root can require more administrators if one text is unsigned',
      [fact('a', proven), fact('b')],
      needing(1, 3),
      3,
    ],
    [
      'a garden of signed texts needs no more administrators than usual',
      [fact('a', proven), fact('b', proven)],
      needing(1, 3),
      1,
    ],
  ])('%s', (_, facts, under, expected) => {
    expect(bypassThreshold(facts, under)).toBe(expected);
  });
});

describe('§21.8.3 S7 a garden that failed the coverage gate', () => {
  const facts = [fact('limits', { guarantee_load: true }), fact('wrap-up')];
  const bound: Bound = { index: new Map(), model: null, generator: 'g', scoring: {}, facts };
  const unit = unitCoverage('limits');
  const coverage = (coverage_pct: number) => ({
    format: 1,
    k: 3,
    threshold: COVERAGE_THRESHOLD,
    evaluated_at: NOW,
    embedding_model_version: null,
    binding: bindingOf(bound),
    units: [{ ...unit, coverage_pct }],
    diversity: { words: 0.5, syntax: 0.5 },
  });
  const claim = bypassClaim('acme', 'cto', bound);
  const approvedAs = (given: Claim, by: readonly Person[]): [string, Buffer] => {
    const signers = by.map((it) => it.signer);
    return ['approvals/1.json', signApproval({ ...given, source_digest: null, note: null, expires: null }, signers)];
  };
  const approved = (...by: Person[]): [string, Buffer][] => (by.length === 0 ? [] : [approvedAs(claim, by)]);
  const predicate = (recertify_by: string | null) =>
    ({ deployment: 'acme', garden: 'cto', recertify_by }) as GardenPredicate;
  const certify = (share: number, recertify_by: string | null, approvals: [string, Buffer][], under = root) => {
    const files = new Map([['coverage.json', canonicalBytes(coverage(share))], ...approvals]);
    return assertCertified(predicate(recertify_by), bound, files, { root: under, now: NOW, language: 'en' });
  };
  const reason = (...args: Parameters<typeof certify>) => reasonOf(() => certify(...args));

  test('a bypass covers the texts of the whole garden, and names no unit', () => {
    expect(claim).toEqual({
      deployment: 'acme',
      garden: 'cto',
      unit: null,
      kind: 'skip_coverage_gate',
      value: 'coverage',
      digest: manifestInputDigest(facts),
      model: null,
      delivery: null,
    });
  });

  test('a garden at the threshold needs no approval, and the check gives its coverage', () => {
    expect(certify(COVERAGE_THRESHOLD, null, [])).toEqual(coverage(COVERAGE_THRESHOLD));
  });

  test('a garden below the threshold is refused without a date for its next certificate', () => {
    expect(reason(0.79, null, approved(ann, bob))).toBe('certificate_mismatch');
  });

  test('a garden below the threshold with a guaranteed unit needs two administrators who wrote none of it', () => {
    expect(reason(0.79, NOW, [])).toBe('approval_missing');
    expect(reason(0.79, NOW, approved(ann))).toBe('approval_missing');
    expect(reason(0.79, NOW, approved(ann, bob))).toBe('believed');
    expect(certify(0.79, NOW, approved(ann, bob))).toEqual(coverage(0.79));
    expect(reason(0.79, NOW, [], { ...root, development: true })).toBe('believed');
  });

  test('an approval with another model, or without one, lets nothing through', () => {
    const otherModel = bypassClaim('acme', 'cto', { facts, model: { name: 'm' } });
    expect(otherModel.digest).toBe(claim.digest);
    const { model: _, ...unnamed } = claim;
    const lapsed = (given: Claim) => {
      const error = failureOf(() => certify(0.79, NOW, [approvedAs(given, [ann, bob])]));
      return [error.details['reason'], error.details['lapsed']];
    };
    expect(lapsed(otherModel)).toEqual(['approval_missing', ['other_model']]);
    expect(lapsed(unnamed)).toEqual(['approval_missing', ['other_model']]);
  });

  test('a garden with a trigger that was not evaluated is refused without an approval of the bypass', () => {
    const files = (more: [string, Buffer][]) =>
      new Map([
        ['coverage.json', canonicalBytes({ ...coverage(1), units: [{ ...unit, not_evaluated: ['prüfen'] }] })],
        ...more,
      ]);
    const read = (more: [string, Buffer][]) =>
      reasonOf(() => assertCertified(predicate(NOW), bound, files(more), { root, now: NOW, language: 'en' }));
    expect([read([]), read(approved(ann, bob))]).toEqual(['approval_missing', 'believed']);
  });

  test('an author of any text of the garden does not count as an approver of its bypass', () => {
    const written = [facts[0]!, { ...facts[1]!, authored_by: bob.entity }];
    const files = new Map([['coverage.json', canonicalBytes(coverage(0.79))], ...approved(ann, bob)]);
    const trust = { root, now: NOW, language: 'en' as const };
    expect(reasonOf(() => assertCertified(predicate(NOW), { ...bound, facts: written }, files, trust))).toBe(
      'approval_missing',
    );
  });

  test('the refusal of a certificate names what differs', () => {
    const files = new Map([['coverage.json', canonicalBytes(coverage(1))]]);
    const other = { ...bound, generator: 'h', scoring: { a: 1 } };
    const error = failureOf(() => assertCertified(predicate(null), other, files, { root, now: NOW, language: 'en' }));
    expect(error.details).toMatchObject({ reason: 'certificate_mismatch', differs: ['generator', 'weights'] });
    expect(reasonOf(() => assertCertified(predicate(null), bound, new Map(), { root, now: NOW, language: 'en' }))).toBe(
      'certificate_mismatch',
    );
  });

  test('a certificate is bound to the intents of units, and to the names of those that have none', () => {
    const triggers = (...of: Fact[]) => bindingOf({ ...bound, facts: of }).triggers;
    expect(triggers(fact('b', { intents: ['x', 'y'] }), fact('a'))).toBe(
      sha256(JSON.stringify([['a'], ['b', 'x', 'y']])),
    );
  });
});
