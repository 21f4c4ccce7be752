import { describe, expect, test } from 'vitest';
import type { AdministratorDecisions } from '../../compiler/gardens/approvals/read-decisions.ts';
import { certify } from '../../compiler/gardens/coverage-gate.ts';
import type { Fact } from '../../compiler/schema/bundle/fact.ts';
import type { Approval } from '../../compiler/schema/source/approval.ts';
import { openApproval, signApproval } from '../../compiler/trust/approval.ts';
import { sha256 } from '../../compiler/trust/canonical.ts';
import { bypassClaim } from '../../compiler/trust/certificate.ts';
import type { Person } from '../support/staff.ts';
import { ann, bob, root, AT, PLANTED, gateOf, garden, plan, decided, context, failing, FILE } from './gated.ts';

describe('§21.8.3 S7, S10: a garden that fails and is let through', () => {
  const WEEK_LATER = '2026-05-11T12:00:00Z';
  const skipping = gateOf(failing(), { skip: true });

  async function bypass(
    by: readonly Person[],
    over: {
      administratorDecisions?: Partial<AdministratorDecisions>;
      development?: boolean;
      model?: object;
      approved?: Partial<Approval>;
    } = {},
    change?: (fact: Fact) => Partial<Fact>,
  ) {
    const { approved, ...more } = over;
    const { facts, unitFacts, contents } = await garden(PLANTED, change);
    const claim = bypassClaim('acme', 'cto', { facts, model: null });
    const signers = by.map((it) => it.signer);
    const bytes = signApproval({ ...claim, source_digest: null, note: null, expires: null, ...approved }, signers);
    const approvals = by.length === 0 ? [] : [{ ...openApproval(bytes, root, AT), file: 'a.json', blob: 'b' }];
    const administratorDecisions = decided({ approvals, ...over.administratorDecisions });
    const found = await certify(context(skipping, { ...more, administratorDecisions }), plan, unitFacts, contents);
    return { ...found, rules: found.faults.map((it) => it.rule), bytes };
  }
  const LACKING = ['coverage_skipped', 'bypass_approval_required'];

  test('an administrator’s approval lets it pass for a week, and travels with it', async () => {
    const { files, used, recertify_by, faults, bytes } = await bypass([ann]);
    const path = `approvals/${sha256(bytes)}.json`;
    expect([...files.keys()]).toEqual(['coverage.json', path]);
    expect(files.get(path)).toEqual(bytes);
    const kind = 'skip_coverage_gate';
    expect(used).toEqual([{ unit: null, kind, by: [ann.entity], note: null, expires: null, files: [path] }]);
    expect(recertify_by).toBe(WEEK_LATER);
    expect(faults).toMatchObject([{ rule: 'coverage_skipped', severity: 'warning', file: FILE }]);
  });

  test('a garden that passes needs no approval, whether or not the gate may be bypassed', async () => {
    const { unitFacts, contents } = await garden();
    const { files, ...rest } = await certify(context(gateOf(undefined, { skip: true })), plan, unitFacts, contents);
    expect([[...files.keys()], rest]).toEqual([
      ['coverage.json'],
      { used: [], recertify_by: null, faults: [], untriggered: [] },
    ]);
  });

  test('without an approval it is an error of the agent', async () => {
    const { files, used, recertify_by, faults, rules } = await bypass([]);
    expect([[...files.keys()], used, recertify_by, rules]).toEqual([['coverage.json'], [], WEEK_LATER, LACKING]);
    expect(faults[1]).toMatchObject({ severity: 'error', file: 'agents/cto/agent.yaml' });
    expect(faults[1]?.message).toMatch(/: \S/);
  });

  test('an approval with another model does not cover it, nor does one without a model', async () => {
    const encoder = { dims: 1, encode: () => Promise.resolve([]) };
    const other = await bypass([ann], { model: { encoder, pin: { name: 'm', digest: '0123456789abcdef' } } });
    expect([other.rules, other.used]).toEqual([LACKING, []]);
    expect(other.faults[1]?.message).toContain('a.json approves another model');
    const unnamed = await bypass([ann], { approved: { model: undefined } });
    expect(unnamed.rules).toEqual(LACKING);
    expect(unnamed.faults[1]?.message).toContain('a.json approves another model');
    const text = await bypass([ann], { approved: { digest: '0'.repeat(64) } });
    expect(text.faults[1]?.message).toContain('a.json approves an older text');
  });

  test('an approval for another garden is not named as one that falls short', async () => {
    const { rules, faults } = await bypass([ann], { approved: { garden: 'ceo' } });
    expect(rules).toEqual(LACKING);
    expect(faults[1]?.message).not.toContain('a.json');
  });

  test('in a development deployment nobody has to approve it', async () => {
    const { used, recertify_by, rules, files } = await bypass([], { development: true });
    expect([used, recertify_by, rules]).toEqual([[], WEEK_LATER, ['coverage_skipped']]);
    expect([...files.keys()]).toEqual(['coverage.json']);
  });

  test('it needs as many administrators as the root in force and the one before ask for', async () => {
    const guaranteed = (it: Fact) => ({ delivery: { ...it.delivery, guarantee_load: true } });
    const signed = () => ({ signed_by: 'SHA256:x' });
    const written = () => ({ authored_by: ann.entity });
    const one = async (...args: Parameters<typeof bypass>) => (await bypass(...args)).rules.length === 1;
    expect(await one([ann], {}, guaranteed)).toBe(false);
    expect(await one([ann, bob], {}, guaranteed)).toBe(true);
    expect(await one([ann], { administratorDecisions: { threshold: 2 } })).toBe(false);
    expect(await one([ann, bob], { administratorDecisions: { threshold: 2 } })).toBe(true);
    expect(await one([ann], { administratorDecisions: { unproven: 2 } })).toBe(false);
    expect(await one([ann], { administratorDecisions: { unproven: 2 } }, signed)).toBe(true);
    expect(
      await one([ann], { administratorDecisions: { unproven: 2 } }, (it) => (it.name === 'travel' ? signed() : {})),
    ).toBe(false);
    expect(await one([ann], {}, written)).toBe(false);
    expect(await one([ann, bob], {}, written)).toBe(true);
  });
});
