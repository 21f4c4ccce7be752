import { describe, expect, test } from 'vitest';
import { withApprovals } from '../../../compiler/gardens/approvals/approved-text.ts';
import type { FiledConsent } from '../../../compiler/gardens/approvals/read-decisions.ts';
import type { FactVersion } from '../../../compiler/schema/bundle/fact.ts';
import type { Approval } from '../../../compiler/schema/source/approval.ts';

const [ADA, ANN, BOB] = ['ada', 'ann', 'bob'].map((name) => `acme/human/${name}`) as [string, string, string];
const AT = '2026-05-04T12:00:00Z';
const [DIGEST, SOURCE, OTHER] = ['a', 'b', '0'].map((it) => it.repeat(64)) as [string, string, string];

/** A version that Ada wrote. */
const VERSION: FactVersion = {
  ...{ uri: 'instruction:acme/agent/cto/limits/v1', name: 'limits', version: 1, content: 'Never.\n' },
  ...{ digest: DIGEST, source_digest: SOURCE, created_at: AT, valid_until: null },
  ...{ authored_by: ADA, authored_at: AT, source_trust: 0.5, verified: false },
  ...{ derived_from: null, commit: '', file: 'instructions/agents/cto/limits.md' },
};

/** An approval of exactly this version, changed as asked. */
function approval(by: readonly string[], over: Partial<Approval> = {}): FiledConsent {
  const filed: Approval = {
    ...{ deployment: 'acme', garden: 'cto', unit: 'limits', kind: 'guarantee_load', value: 'true' },
    ...{ digest: DIGEST, delivery: null, source_digest: SOURCE, note: null, expires: null },
    ...over,
  };
  return { approval: filed, by, bytes: Buffer.alloc(0), file: '', blob: '' };
}

describe('§21.4.3 a text that administrators approved', () => {
  test('an approved text is verified, with source trust 0.9, by everyone who approved it, in order and once each', () => {
    const approved = withApprovals(VERSION, 'cto', [approval([BOB, ANN]), approval([ANN])]);
    expect(approved).toEqual({ ...VERSION, source_trust: 0.9, verified: true, approved_by: [ANN, BOB] });
  });

  test('a higher source trust stays', () => {
    const trusted = { ...VERSION, source_trust: 0.95 };
    expect(withApprovals(trusted, 'cto', [approval([ANN])]).source_trust).toBe(0.95);
  });

  test.each<[string, Partial<Approval>]>([
    ['garden', { garden: 'ops' }],
    ['unit', { unit: 'wrap-up' }],
    ['text', { digest: OTHER }],
    ['source file', { source_digest: OTHER }],
  ])('an approval of another %s does not verify a text', (_, over) => {
    expect(withApprovals(VERSION, 'cto', [approval([ANN], over)])).toEqual(VERSION);
  });

  test('an approval by authors does not verify a text, however they spell their names', () => {
    const joint = { ...VERSION, coauthored_by: ['acme/human/B.o-b'] };
    expect(withApprovals(joint, 'cto', [approval([ADA, BOB])])).toEqual(joint);
    expect(withApprovals(joint, 'cto', [approval([ADA, BOB, ANN])]).approved_by).toEqual([ANN]);
  });
});
