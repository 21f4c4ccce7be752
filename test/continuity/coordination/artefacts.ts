import { applyChange, type ArtefactRequest } from '../../../compiler/continuity/coordination/change.ts';
import type { ArtefactOccasion } from '../../../compiler/continuity/coordination/occasion.ts';
import type {
  Artefact,
  ArtefactKind,
  ArtefactValues,
} from '../../../compiler/continuity/schema/coordination/artefact.ts';
import type { ErrorCode } from '../../../compiler/schema/errors.ts';
import { NOW } from '../capsules.ts';

/** The codes that artefacts refuse with; the tests of this folder bring each about. */
export const COORDINATION_CODES: readonly ErrorCode[] = [
  'coordination_invalid',
  'coordination_not_found',
  'coordination_conflict',
];

/** Store of the artefacts that agents share, in memory. */
export function coordination() {
  const artefacts = new Map<string, Artefact>();
  let last = 0;
  const find = (id: string) => artefacts.get(id) ?? null;
  /** Applies a request as an agent; a new artefact has its kind and a number as its id. */
  const ask = <K extends ArtefactKind>(
    kind: K,
    caller: string,
    asked: ArtefactRequest,
    more: Partial<ArtefactOccasion> = {},
  ) => {
    const occasion = { now: NOW, caller, isAdmin: false, id: `${kind}_${(last += 1)}`, ...more };
    const { artefact, isChanged } = applyChange({ ...asked, ...occasion }, find);
    if (isChanged) artefacts.set(occasion.id, artefact);
    return { value: artefact.value as ArtefactValues[K], isChanged };
  };
  return { find, ask };
}

const CONTINUITY = { active_constraints: ['no deploys'], drift_signals: ['late answers'] };

/** The subject, the recipient and what crosses of a handoff from `ann` to `bob`. */
export const DRAFT = {
  subject_kind: 'thread',
  subject_id: 'store',
  recipient_peer: 'bob',
  shared_continuity: CONTINUITY,
} as const;
