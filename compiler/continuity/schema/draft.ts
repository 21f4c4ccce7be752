import { z } from 'zod';
import { Capsule, SubjectId } from './capsule.ts';
import { UtcTime } from './text.ts';
import { SubjectKind } from './words.ts';

type Shape = Readonly<Record<string, z.ZodType>>;

/**
 * A noun as agents send it: what may be absent may also be null, at every depth. Null stays in the result, because it
 * clears a stored value where an absent member keeps it.
 */
function draftOf(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return draftOf(schema.unwrap() as z.ZodType).nullish();
  if (schema instanceof z.ZodArray)
    return schema.clone({ ...schema.def, element: draftOf(schema.element as z.ZodType) });
  if (!(schema instanceof z.ZodObject)) return schema;
  return schema.clone({ ...schema.def, shape: mapped(schema.shape, draftOf) });
}

/** The same where every member may be absent, because what is stored has it. */
function partialOf(schema: z.ZodObject): z.ZodType {
  return z.strictObject(mapped(schema.shape as Shape, (it) => draftOf(it).nullish()));
}

function mapped(shape: Shape, change: (schema: z.ZodType) => z.ZodType): Record<string, z.ZodType> {
  return Object.fromEntries(Object.entries(shape).map(([key, schema]) => [key, change(schema)]));
}

/** Members of JSON objects as they were sent: absent, null and empty are three different things. */
export type Draft = Readonly<Record<string, unknown>>;

export interface CapsuleDraft extends Draft {
  readonly subject_kind: SubjectKind;
  readonly subject_id: string;
  readonly updated_at: string;
}

const { continuity, thread_descriptor } = Capsule.shape;

/** The capsule of an upsert. In replace mode it has to be complete; in preserve mode what it lacks is kept. */
export const CapsuleDraft = z
  .strictObject({
    ...mapped(Capsule.shape, (it) => draftOf(it).nullish()),
    subject_kind: SubjectKind,
    subject_id: SubjectId,
    updated_at: UtcTime,
    continuity: partialOf(continuity).nullish(),
    thread_descriptor: partialOf(thread_descriptor.unwrap()).nullish(),
  })
  .meta({
    description: 'Without merge_mode=preserve also required: verified_at, source, confidence and continuity, complete.',
  }) as unknown as z.ZodType<CapsuleDraft>;

/** A complete capsule, to be compared with the stored one. */
export const CandidateCapsule = draftOf(Capsule) as unknown as z.ZodType<CapsuleDraft>;
