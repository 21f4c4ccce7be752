import { archive } from '../../../compiler/continuity/archive.ts';
import { deleteCapsules } from '../../../compiler/continuity/delete.ts';
import { changeLifecycle } from '../../../compiler/continuity/lifecycle.ts';
import { patch } from '../../../compiler/continuity/patch.ts';
import { revalidate } from '../../../compiler/continuity/revalidate.ts';
import type { SubjectChange, Occasion, SubjectFiles } from '../../../compiler/continuity/stored/subject.ts';
import { upsert } from '../../../compiler/continuity/upsert.ts';
import { VadeError } from '../../../compiler/schema/errors.ts';
import type { ApplyMutation, StoreChange } from '../store/mutation.ts';

type Verb = (
  request: never,
  files: SubjectFiles,
  occasion: Occasion,
) => SubjectChange<{ latest_commit: string | null }>;

/** The verbs that change a subject, by the names of their routes. */
const VERBS = {
  upsert,
  patch,
  lifecycle: changeLifecycle,
  revalidate,
  archive,
  delete: deleteCapsules,
} satisfies Record<string, Verb>;

export type VerbName = keyof typeof VERBS;

/** Applies a mutation by its verb. @throws VadeError */
export const applyVerb: ApplyMutation = ({ verb, request, now }, { files, owner }): StoreChange => {
  if (!Object.hasOwn(VERBS, verb)) throw new VadeError('internal', 'no such verb');
  return (VERBS[verb as VerbName] as Verb)(request as never, files, { now, owner });
};
