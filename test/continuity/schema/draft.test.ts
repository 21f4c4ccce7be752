import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { Capsule } from '../../../compiler/continuity/schema/capsule.ts';
import { CompareRequest } from '../../../compiler/continuity/schema/compare.ts';
import { CandidateCapsule, CapsuleDraft } from '../../../compiler/continuity/schema/draft.ts';
import { UpsertRequest } from '../../../compiler/continuity/schema/upsert.ts';
import { capsuleOf } from '../capsules.ts';

interface Schema {
  readonly properties: Readonly<Record<string, Schema & { readonly anyOf?: readonly Schema[] }>>;
  readonly required: readonly string[];
}

const jsonOf = (schema: z.ZodType) =>
  z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as unknown as Schema;

describe('the capsule as agents send it', () => {
  test('it has the same fields as the stored one, and only says whose it is and how new', () => {
    const draft = jsonOf(CapsuleDraft);
    expect(Object.keys(draft.properties)).toEqual(Object.keys(Capsule.shape));
    expect([...draft.required].sort()).toEqual(['subject_id', 'subject_kind', 'updated_at']);
  });

  test('a candidate is complete: every required field of a capsule is required', () => {
    expect(jsonOf(CandidateCapsule).required).toEqual(jsonOf(Capsule).required);
  });

  test('absent, null and empty stay three different things', () => {
    const given = { ...capsuleOf(), metadata: null, canonical_sources: [] };
    const parsed = CapsuleDraft.parse(given);
    expect(parsed).toEqual(given);
    expect(parsed).not.toHaveProperty('stable_preferences');
    const nested = { ...capsuleOf({}, { trailing_notes: null, relationship_model: { trust_level: null } }) };
    expect(CapsuleDraft.parse(nested)).toEqual(nested);
  });

  test('its limits are those of the stored one, at every depth', () => {
    const long = 'x'.repeat(161);
    expect(CapsuleDraft.safeParse(capsuleOf({}, { open_loops: [long] })).success).toBe(false);
    expect(CapsuleDraft.safeParse(capsuleOf({}, { retrieval_hints: { avoid: [long] } })).success).toBe(false);
    expect(CapsuleDraft.safeParse(capsuleOf({}, { retrieval_hints: { loud: true } })).success).toBe(false);
  });

  test('JSON Schemas say how long texts and lists may be', () => {
    const text = JSON.stringify(jsonOf(UpsertRequest));
    expect(text).toContain('"maxLength":560');
    expect(text).toContain('"maxItems":12');
    expect(() => jsonOf(CompareRequest)).not.toThrow();
  });
});
