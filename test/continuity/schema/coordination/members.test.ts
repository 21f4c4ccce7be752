import { expect, test } from 'vitest';
import { z } from 'zod';
import { ANSWERED, CHANGED, PAGE, Version } from '../../../../compiler/continuity/schema/coordination/members.ts';
import { ReconciliationOpenRequest } from '../../../../compiler/continuity/schema/coordination/reconciliation.ts';

const passes = (shape: z.ZodRawShape, value: unknown) => z.strictObject(shape).safeParse(value).success;

test('an answer about artefacts says that it succeeded and that agents wrote it; one to a change, that it is kept', () => {
  const answer = { ok: true, content_kind: 'agent_authored' };
  expect(passes(ANSWERED, answer)).toBe(true);
  for (const it of [
    { ...answer, ok: false },
    { ...answer, content_kind: 'x' },
  ])
    expect(passes(ANSWERED, it)).toBe(false);
  expect(passes(CHANGED, { ...answer, durable: true })).toBe(true);
  expect(passes(CHANGED, { ...answer, durable: false })).toBe(false);
});

test('a page begins at the first row, and the first version is 1', () => {
  expect(z.object(PAGE).parse({})).toMatchObject({ offset: 0 });
  expect([
    passes(PAGE, { offset: '0', limit: '1' }),
    passes(PAGE, { limit: '0' }),
    passes(PAGE, { offset: '-1' }),
  ]).toEqual([true, false, false]);
  expect([0, 1].map((it) => Version.safeParse(it).success)).toEqual([false, true]);
});

test('a claim by a shared artefact names the version that was read, and one by a handoff names none', () => {
  const claim = { claimant_peer: 'ann', claim_summary: 'c', epistemic_status: 'frame_present', source_id: 'x' };
  const faults = (more: object) => {
    const claims = [{ ...claim, ...more }];
    const { error } = ReconciliationOpenRequest.safeParse({ claims });
    return (error?.issues ?? []).map((it) => it.path.join('.')).filter((it) => it.startsWith('claims'));
  };
  const place = 'claims.0.observed_version';
  expect(faults({ source_kind: 'shared', observed_version: 1 })).not.toContain(place);
  expect(faults({ source_kind: 'handoff' })).not.toContain(place);
  expect(faults({ source_kind: 'shared' })).toContain(place);
  expect(faults({ source_kind: 'handoff', observed_version: 1 })).toContain(place);
});
