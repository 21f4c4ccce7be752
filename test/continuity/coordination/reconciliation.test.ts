import { describe, expect, test } from 'vitest';
import {
  Reconciliation,
  ReconciliationOpenRequest,
  ReconciliationResolveRequest,
} from '../../../compiler/continuity/schema/coordination/reconciliation.ts';
import { SharedCreateRequest } from '../../../compiler/continuity/schema/coordination/shared.ts';
import { refused, type Json } from '../capsules.ts';
import { coordination, DRAFT } from './artefacts.ts';

const OPEN = { title: 'is staging shared?', classification: 'contradictory', trigger: 'handoff_vs_shared' } as const;

const claimOf = (source_kind: 'handoff' | 'shared', source_id: string, claimant_peer: string, more: Json = {}) => ({
  source_kind,
  source_id,
  claimant_peer,
  claim_summary: 'it is',
  epistemic_status: 'frame_present',
  ...(source_kind === 'shared' && { observed_version: 1 }),
  ...more,
});

const open = (more: object) =>
  ({ verb: 'openReconciliation', request: ReconciliationOpenRequest.parse({ ...OPEN, ...more }) }) as const;
const resolve = (more: object) =>
  ({ verb: 'resolveReconciliation', request: ReconciliationResolveRequest.parse(more) }) as const;

/** A handoff from ann to bob, and an artefact that ann shares with bob and with cid. */
function sources() {
  const { ask } = coordination();
  const handoff = ask('handoff', 'ann', { verb: 'createHandoff', request: DRAFT }).value.handoff_id;
  const request = SharedCreateRequest.parse({ title: 'release', participant_peers: ['bob', 'cid'] });
  const shared = ask('shared', 'ann', { verb: 'createShared', request }).value.shared_id;
  const opened = (who: string, more: object, occasion = {}) => ask('reconciliation', who, open(more), occasion).value;
  return { ask, handoff, shared, opened };
}

describe('POST /v1/coordination/reconciliation/open', () => {
  test('its participants are the claimants, in the order of their claims, without its owner', () => {
    const { handoff, shared, opened } = sources();
    const claims = [
      claimOf('shared', shared, 'cid', { evidence_refs: ['ci/run/7'] }),
      claimOf('handoff', handoff, 'bob'),
      claimOf('shared', shared, 'bob'),
      claimOf('handoff', handoff, 'ann'),
    ];
    const value = opened('bob', { claims });
    expect(Reconciliation.parse(value)).toEqual(value);
    expect(value).toMatchObject({ owner_peer: 'bob', participant_peers: ['cid', 'ann'], status: 'open', version: 1 });
    expect(value.claims[0]).toMatchObject({ evidence_refs: ['ci/run/7'], observed_version: 1 });
    expect(value.claims[1]).toMatchObject({ evidence_refs: [], observed_version: null });
  });

  test.each([undefined, null, []])('claims may be %j, and so may task and thread be absent', (claims) => {
    expect(sources().opened('eve', { claims })).toMatchObject({ claims: [], participant_peers: [] });
  });

  test.each([
    ['handoff_vs_handoff', ['handoff'], true],
    ['handoff_vs_handoff', ['shared'], false],
    ['shared_vs_shared', ['shared', 'shared'], true],
    ['shared_vs_shared', ['handoff', 'shared'], false],
    ['handoff_vs_shared', ['handoff'], true],
    ['handoff_vs_shared', ['handoff', 'shared'], true],
    ['handoff_vs_shared', ['shared', 'shared'], false],
    ['concurrent_mutation_race', ['shared', 'shared'], true],
    ['concurrent_mutation_race', ['handoff'], false],
  ] as const)('trigger %s with claims by %j is allowed: %s', (trigger, kinds, isAllowed) => {
    const all = sources();
    const claims = kinds.map((kind, i) => claimOf(kind, all[kind], ['ann', 'bob'][i] ?? ''));
    const ask = () => all.opened('ann', { trigger, claims });
    if (isAllowed) expect(ask().trigger).toBe(trigger);
    else expect(refused('coordination_invalid', ask)).toEqual({ field: 'trigger' });
  });

  test('one claimant claims once by one source', () => {
    const { shared, opened } = sources();
    const claims = [claimOf('shared', shared, 'bob'), claimOf('shared', shared, 'bob', { claim_summary: 'it is not' })];
    const ask = () => opened('ann', { trigger: 'shared_vs_shared', claims });
    expect(refused('coordination_invalid', ask)).toEqual({ field: 'claims' });
  });

  test('for who does not see a source there is none, whoever claims', () => {
    const { handoff, opened } = sources();
    const claims = [claimOf('handoff', handoff, 'ann')];
    refused('coordination_not_found', () => opened('eve', { claims }));
    expect(opened('default', { claims }, { isAdmin: true }).participant_peers).toEqual(['ann']);
  });

  test.each([
    ['claimant_peer', { claimant_peer: 'eve' }],
    ['observed_version', { observed_version: 2 }],
    ['source_id', { source_kind: 'handoff', observed_version: null }],
  ])('%s of a claim has to fit its source: %j', (field, more) => {
    const { shared, opened } = sources();
    const claims = [claimOf('shared', shared, 'bob', more)];
    const details = refused('coordination_invalid', () => opened('ann', { claims }));
    expect(details).toEqual({ field: `claims.0.${field}` });
  });

  const claims = (count: number, more: Json = {}) =>
    Array.from({ length: count }, (_, i) => claimOf('handoff', `handoff_${i}`, 'ann', more));

  test.each<[Json, boolean]>([
    [{ claims: claims(4) }, true],
    [{ claims: claims(5) }, false],
    [{ title: '' }, false],
    [{ title: 't'.repeat(121) }, false],
    [{ summary: 's'.repeat(240) }, true],
    [{ summary: 's'.repeat(241) }, false],
    [{ classification: 'frame_conflict' }, true],
    [{ classification: 'unclear' }, false],
    [{ trigger: 'nothing' }, false],
    [{ claims: claims(1, { claim_summary: '' }) }, false],
    [{ claims: claims(1, { claim_summary: 's'.repeat(241) }) }, false],
    [{ claims: claims(1, { epistemic_status: 'certain' }) }, false],
    [{ claims: claims(1, { evidence_refs: Array.from({ length: 4 }, () => 'r'.repeat(160)) }) }, true],
    [{ claims: claims(1, { evidence_refs: Array.from({ length: 5 }, () => 'r') }) }, false],
    [{ claims: claims(1, { evidence_refs: ['r'.repeat(161)] }) }, false],
    [{ claims: claims(1, { observed_version: 1 }) }, false],
    [{ claims: [claimOf('shared', 'shared_1', 'ann', { observed_version: null })] }, false],
    [{ claims: [claimOf('shared', 'shared_1', 'ann', { observed_version: 0 })] }, false],
  ])('%j is valid: %s', (more, isValid) => {
    expect(ReconciliationOpenRequest.safeParse({ ...OPEN, ...more }).success).toBe(isValid);
  });
});

describe('POST /v1/coordination/reconciliation/{reconciliation_id}/resolve', () => {
  /** Opened by ann, with a claim of bob. */
  function opened() {
    const { ask, handoff, opened: openAs } = sources();
    const { reconciliation_id: id } = openAs('ann', { claims: [claimOf('handoff', handoff, 'bob')] });
    return (who: string, more: object, occasion = {}) => ask('reconciliation', who, resolve(more), { id, ...occasion });
  }

  test.each(['advisory_only', 'conflicted', 'rejected'] as const)('its owner may say that it ended %s', (outcome) => {
    const { value, isChanged } = opened()('ann', { expected_version: 1, resolution_outcome: outcome });
    expect(isChanged).toBe(true);
    expect(value).toMatchObject({ status: 'resolved', resolution_outcome: outcome, resolution_summary: null });
    expect(value).toMatchObject({ version: 2, resolved_by: 'ann', resolved_at: '2026-11-23T12:00:00Z' });
  });

  test('the outcome has two names, of which exactly one is sent', () => {
    const more = { expected_version: 1, outcome: 'rejected' };
    expect(opened()('ann', more).value.resolution_outcome).toBe('rejected');
    for (const request of [{ expected_version: 1 }, { ...more, resolution_outcome: 'rejected' }])
      expect(ReconciliationResolveRequest.safeParse(request).success).toBe(false);
  });

  test('"first-write-wins": the same resolution again changes nothing, another is a conflict', () => {
    const ask = opened();
    const first = ask('ann', { expected_version: 1, outcome: 'rejected', resolution_summary: 'no' });
    const again = ask('ann', { expected_version: 1, outcome: 'rejected', resolution_summary: 'no' });
    expect(again).toEqual({ value: first.value, isChanged: false });
    for (const more of [{ resolution_summary: 'never' }, { outcome: 'conflicted', resolution_summary: 'no' }]) {
      const other = { expected_version: 2, outcome: 'rejected', ...more };
      expect(refused('coordination_conflict', () => ask('ann', other))).toEqual({ status: 'resolved', version: 2 });
    }
  });

  test('another version is a conflict that names the stored one', () => {
    const details = refused('coordination_conflict', () =>
      opened()('ann', { expected_version: 3, outcome: 'rejected' }),
    );
    expect(details).toEqual({ expected_version: 3, version: 1 });
  });

  test('a claimant sees it and does not resolve it, an administrator may, and for others there is none', () => {
    const more = { expected_version: 1, outcome: 'rejected' };
    refused('instruction_scope_denied', () => opened()('bob', more));
    refused('coordination_not_found', () => opened()('eve', more));
    expect(opened()('default', more, { isAdmin: true }).value.resolved_by).toBe('default');
  });

  test.each<[Json, boolean]>([
    [{ resolution_summary: 's'.repeat(240) }, true],
    [{ resolution_summary: 's'.repeat(241) }, false],
    [{ resolution_summary: '' }, false],
    [{ expected_version: 0 }, false],
    [{ outcome: 'settled' }, false],
  ])('%j is valid: %s', (more, isValid) => {
    const request = { expected_version: 1, outcome: 'rejected', ...more };
    expect(ReconciliationResolveRequest.safeParse(request).success).toBe(isValid);
  });
});
