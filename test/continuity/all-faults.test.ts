import { describe, expect, test } from 'vitest';
import { patch } from '../../compiler/continuity/patch.ts';
import { PatchRequest } from '../../compiler/continuity/schema/patch.ts';
import { UpsertRequest } from '../../compiler/continuity/schema/upsert.ts';
import { upsert } from '../../compiler/continuity/upsert.ts';
import { toldIssues } from '../../compiler/schema/issue-wording.ts';
import { ago, capsuleOf, noFiles, OCCASION, refused, upsertOf, without } from './capsules.ts';

const SUBJECT = { subject_kind: 'thread', subject_id: 'store' };

describe('all faults of a capsule are told at once', () => {
  const faultsOf = (run: () => unknown) =>
    (refused('capsule_invalid', run)['faults'] as { path: string }[]).map(({ path }) => path);

  test('what is missing, what breaks a rule, and what is ahead of the clock', () => {
    const capsule = {
      ...without(capsuleOf(), 'verified_at', 'source', 'confidence'),
      updated_at: ago(-3600),
      continuity: { top_priorities: [] },
      stable_preferences: [{ tag: 't', content: 'c' }],
    };
    const run = () => upsert(upsertOf(capsule, { lifecycle_transition: 'supersede' }), noFiles(), OCCASION);
    expect(faultsOf(run).sort()).toEqual([
      'confidence',
      'continuity.active_concerns',
      'continuity.active_constraints',
      'continuity.drift_signals',
      'continuity.open_loops',
      'continuity.stance_summary',
      'source',
      'stable_preferences',
      'superseded_by',
      'updated_at',
      'verified_at',
    ]);
  });

  test('of every operation of a patch', () => {
    const target = 'continuity.negative_decisions';
    const operations = [
      { target, action: 'append' },
      { target, action: 'append', value: { decision: '', colour: 'red' } },
      { target: 'continuity.open_loops', action: 'remove', index: 0 },
    ];
    const request = PatchRequest.parse({ ...SUBJECT, updated_at: ago(-3600), operations });
    expect(faultsOf(() => patch(request, noFiles(), OCCASION)).sort()).toEqual([
      'operations.0.value',
      'operations.1.value.colour',
      'operations.1.value.decision',
      'operations.1.value.rationale',
      'operations.2.index',
      'operations.2.match',
      'updated_at',
    ]);
  });

  test('a body of the wrong types is told what it lacks, too', () => {
    const { issues = [] } =
      UpsertRequest.safeParse({
        ...SUBJECT,
        capsule: { ...SUBJECT, updated_at: 'now', continuity: { top_priorities: 'ship it' } },
      }).error ?? {};
    expect(
      toldIssues(issues)
        .map(({ path }) => path.join('.'))
        .sort(),
    ).toEqual([
      'capsule.confidence',
      'capsule.continuity.active_concerns',
      'capsule.continuity.active_constraints',
      'capsule.continuity.drift_signals',
      'capsule.continuity.open_loops',
      'capsule.continuity.stance_summary',
      'capsule.continuity.top_priorities',
      'capsule.source',
      'capsule.updated_at',
      'capsule.verified_at',
    ]);
  });

  test.each([null, 3, 'text', [], {}])('a body with the capsule %j is refused, and not crashed on', (capsule) => {
    expect(UpsertRequest.safeParse({ ...SUBJECT, capsule }).success).toBe(false);
  });
});
