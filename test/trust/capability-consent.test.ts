import { describe, expect, test } from 'vitest';
import { signApproval } from '../../compiler/trust/approval.ts';
import {
  assertRoleApproved,
  neededForRole,
  roleClaims,
  type ApprovedGarden,
} from '../../compiler/trust/capability-consent.ts';
import { EDITING_GATES, roleWith } from '../support/gate.ts';
import { reasonOf } from '../support/refused.ts';
import { person, staff, type Person } from '../support/staff.ts';

const NOW = '2026-05-04T12:00:00Z';
const [ann, bob, eve] = ['ann', 'bob', 'eve'].map((name) => person(name)) as [Person, Person, Person];
const { root } = staff([bob, ann]).root;
const ADA = 'acme/human/ada';
const role = roleWith({});
const bypassing = roleWith({
  gates: EDITING_GATES.map((it, i) => ({ ...it, relaxable: true, bypass_env: i === 0 ? 'ORCHESTRATOR_META' : null })),
});

/** Approvals of every claim about a role. */
const approved = (
  resolved: typeof role,
  by: readonly Person[],
  kinds = ['role', 'bypass'],
  note: string | null = 'reviewed',
) =>
  roleClaims('acme', resolved)
    .filter(({ kind }) => kinds.includes(kind))
    .map((claim) =>
      signApproval(
        { ...claim, source_digest: null, note, expires: null },
        by.map((it) => it.signer),
      ),
    );
const garden = (approvals: readonly Buffer[], over: Partial<ApprovedGarden> = {}): ApprovedGarden => ({
  deployment: 'acme',
  used: [],
  facts: [{ authored_by: ADA }],
  files: new Map(approvals.map((it, i) => [`approvals/${i}.json`, it])),
  ...over,
});
type Used = ApprovedGarden['used'][number];
const used = (over: Partial<Used> = {}) => [{ unit: role.role, kind: 'role', ...over } as Used];
const reason = (of: ApprovedGarden, resolved = role, under = root) =>
  reasonOf(() => assertRoleApproved(of, resolved, under, NOW));

describe('a role is in force once administrators other than its authors approved it exactly as it is', () => {
  test('a role that keeps a bypass is approved twice, any other once', () => {
    expect(roleClaims('acme', role).map(({ kind }) => kind)).toEqual(['role']);
    expect(roleClaims('acme', bypassing).map(({ kind }) => kind)).toEqual(['role', 'bypass']);
  });

  test('a bypass needs two administrators, whatever the root says, and more if the root does', () => {
    expect([neededForRole('bypass', 1), neededForRole('bypass', 3), neededForRole('role', 1)]).toEqual([2, 3, 1]);
  });

  test('who approved and wrote a role is told once and sorted, with the approvals themselves', () => {
    const approvals = approved(role, [bob, ann]);
    const { by, consent } = assertRoleApproved(
      garden(approvals, { facts: [{ authored_by: ADA, coauthored_by: [eve.entity] }, { authored_by: ADA }] }),
      role,
      root,
      NOW,
    );
    expect(by).toEqual([ann.entity, bob.entity]);
    expect(consent).toEqual({ authors: [ADA, eve.entity].sort(), proven: false, approvals: [String(approvals[0])] });
  });

  test.each<[string, string, readonly Buffer[]]>([
    ['without an approval is refused', 'approval_missing', []],
    ['that an administrator approved is believed', 'believed', approved(role, [ann])],
    ['that somebody else approved is refused', 'approval_missing', approved(role, [eve])],
    ['approved before a gate was taken away is refused', 'approval_missing', approved(bypassing, [ann, bob])],
  ])('a role %s', (_, verdict, approvals) => {
    expect(reason(garden(approvals))).toBe(verdict);
  });

  test.each<[string, string, readonly Buffer[]]>([
    ['one administrator approved is refused', 'approval_missing', approved(bypassing, [ann])],
    ['two administrators approved is believed', 'believed', approved(bypassing, [ann, bob])],
    [
      'two administrators approved without a reason is refused',
      'approval_missing',
      approved(bypassing, [ann, bob], undefined, null),
    ],
    ['nobody approved as a bypass is refused', 'approval_missing', approved(bypassing, [ann, bob], ['role'])],
    [
      'two approved as a bypass and none as a role is refused',
      'approval_missing',
      approved(bypassing, [ann, bob], ['bypass']),
    ],
  ])('a role with a bypass that %s', (_, verdict, approvals) => {
    expect(reason(garden(approvals), bypassing)).toBe(verdict);
  });

  test.each<[string, Partial<ApprovedGarden>]>([
    ['wrote a source of it', { facts: [{ authored_by: ADA }, { authored_by: ann.entity }] }],
    ['wrote what was approved before', { used: used({ authors: [ann.entity] }) }],
  ])('an administrator who %s cannot approve a role', (_, over) => {
    expect(reason(garden(approved(role, [ann]), over))).toBe('approval_missing');
    expect(reason(garden(approved(role, [ann, bob]), over))).toBe('believed');
  });

  test('authors of another role or of another kind of approval do not matter', () => {
    const others = [
      ...used({ unit: 'other', authors: [ann.entity] }),
      ...used({ kind: 'bypass', authors: [ann.entity] }),
    ];
    expect(reason(garden(approved(role, [ann]), { used: others }))).toBe('believed');
  });

  const cautious = { ...root, thresholds: { ...root.thresholds, unproven_authors: 2 } };
  const proven = { authored_by: ADA, signed_by: 'SHA256:x' };

  test.each<[string, boolean, Partial<ApprovedGarden>]>([
    ['whose sources all come from signed commits counts as proven', true, { facts: [proven, proven] }],
    ['with one source from an unsigned commit does not', false, { facts: [proven, { authored_by: ADA }] }],
    [
      'with an unproven change of it in an approval does not',
      false,
      { facts: [proven], used: used({ unproven: true }) },
    ],
  ])('a role %s', (_, isProven, over) => {
    expect(reason(garden(approved(role, [ann]), over), role, cautious)).toBe(
      isProven ? 'believed' : 'approval_missing',
    );
    const told = assertRoleApproved(garden(approved(role, [ann, bob]), over), role, cautious, NOW);
    expect(told.consent.proven).toBe(isProven);
  });

  test('a development root asks for no approval', () => {
    const told = assertRoleApproved(garden([]), bypassing, { ...root, development: true }, NOW);
    expect(told).toEqual({ by: [], consent: { authors: [ADA], proven: true, approvals: [] } });
  });
});
