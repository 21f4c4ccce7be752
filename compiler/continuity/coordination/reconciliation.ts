import { timeOf } from '../capsule/clock.ts';
import type { Artefact } from '../schema/coordination/artefact.ts';
import type {
  Reconciliation,
  ReconciliationClaim,
  ReconciliationOpenRequest,
  ReconciliationResolveRequest,
  StoredClaim,
} from '../schema/coordination/reconciliation.ts';
import type { Changed, ArtefactOccasion } from './occasion.ts';
import { partiesOf, requireVisible } from './parties.ts';
import { conflict, invalid, notYours } from './refusals.ts';
import { checkVersion } from './shared.ts';

/** Finds an artefact by its id; without a version, the newest one. */
export type FindArtefact = (id: string, version?: number) => Artefact | null;

/** Kinds of artefacts that each trigger concerns. */
const KINDS: Readonly<Record<Reconciliation['trigger'], readonly StoredClaim['source_kind'][]>> = {
  handoff_vs_handoff: ['handoff'],
  shared_vs_shared: ['shared'],
  handoff_vs_shared: ['handoff', 'shared'],
  concurrent_mutation_race: ['shared'],
};

/**
 * `POST /v1/coordination/reconciliation/open`: makes a disagreement explicit. Its participants are those whose claims
 * it holds; each claim is by an artefact that the opener sees and the claimant is a party of.
 *
 * @param request whose claimants are ids
 * @throws VadeError `coordination_invalid`, `coordination_not_found` for a source that the opener does not see
 */
export function openReconciliation(
  request: ReconciliationOpenRequest,
  find: FindArtefact,
  { now, caller, isAdmin, id }: ArtefactOccasion,
): Changed<Reconciliation> {
  const claims = request.claims ?? [];
  checkTrigger(request.trigger, claims);
  checkUnique(claims);
  for (const [at, claim] of claims.entries()) checkSource(claim, `claims.${at}`, find, { caller, isAdmin });
  const at = timeOf(now);
  const claimants = [...new Set(claims.map((it) => it.claimant_peer))];
  return {
    isChanged: true,
    value: {
      reconciliation_id: id,
      version: 1,
      created_at: at,
      updated_at: at,
      owner_peer: caller,
      participant_peers: claimants.filter((it) => it !== caller),
      task_id: request.task_id ?? null,
      thread_id: request.thread_id ?? null,
      title: request.title,
      summary: request.summary ?? null,
      classification: request.classification,
      trigger: request.trigger,
      claims: claims.map(storedClaim),
      status: 'open',
      resolution_outcome: null,
      resolution_summary: null,
      resolved_at: null,
      resolved_by: null,
      commit_message: request.commit_message ?? null,
    },
  };
}

/**
 * `POST /v1/coordination/reconciliation/{reconciliation_id}/resolve`: its owner or an administrator says how it ended;
 * the first one wins. The same resolution again changes nothing. No artefact and no capsule changes by it.
 *
 * @throws VadeError `instruction_scope_denied`, `coordination_conflict`
 */
export function resolveReconciliation(
  reconciliation: Reconciliation,
  request: ReconciliationResolveRequest,
  { now, caller, isAdmin }: Omit<ArtefactOccasion, 'id'>,
): Changed<Reconciliation> {
  if (caller !== reconciliation.owner_peer && !isAdmin)
    throw notYours('only the agent that opened a reconciliation, or an administrator, may resolve it');
  const resolution_outcome = request.resolution_outcome ?? request.outcome ?? null;
  const resolution_summary = request.resolution_summary ?? null;
  const { status, version } = reconciliation;
  const isSame =
    reconciliation.resolution_outcome === resolution_outcome &&
    reconciliation.resolution_summary === resolution_summary;
  if (status === 'resolved' && isSame) return { value: reconciliation, isChanged: false };
  if (status === 'resolved') throw conflict('this reconciliation is already resolved', { status, version });
  checkVersion(request.expected_version, version);
  const at = timeOf(now);
  const resolved = { resolution_outcome, resolution_summary, resolved_at: at, resolved_by: caller, updated_at: at };
  return { value: { ...reconciliation, ...resolved, status: 'resolved', version: version + 1 }, isChanged: true };
}

/** A single claim need not have its counterpart yet; from two on the sources are those of the trigger, all of them. */
function checkTrigger(trigger: Reconciliation['trigger'], claims: readonly ReconciliationClaim[]): void {
  const kinds = KINDS[trigger];
  const given = new Set(claims.map((it) => it.source_kind));
  const isStray = [...given].some((it) => !kinds.includes(it));
  if (isStray || (claims.length > 1 && given.size < kinds.length))
    throw invalid('trigger', `${trigger} needs claims by ${kinds.join(' and ')}, and no others`);
}

function checkUnique(claims: readonly ReconciliationClaim[]): void {
  const names = claims.map((it) => `${it.source_id} ${it.claimant_peer}`);
  if (new Set(names).size < names.length) throw invalid('claims', 'have two claims of one claimant by one source');
}

function checkSource(
  { source_kind, source_id, claimant_peer, observed_version }: ReconciliationClaim,
  field: string,
  find: FindArtefact,
  viewer: Pick<ArtefactOccasion, 'caller' | 'isAdmin'>,
): void {
  const source = requireVisible(find(source_id), source_id, viewer);
  if (source.kind !== source_kind) throw invalid(`${field}.source_id`, `is not a ${source_kind}`);
  if (!partiesOf(source).some((it) => it.peer === claimant_peer))
    throw invalid(`${field}.claimant_peer`, 'is not a party of that source');
  if ((observed_version ?? 0) > source.value.version)
    throw invalid(`${field}.observed_version`, `is later than the stored version ${source.value.version}`);
}

function storedClaim({ evidence_refs, observed_version, ...claim }: ReconciliationClaim): StoredClaim {
  return { ...claim, evidence_refs: evidence_refs ?? [], observed_version: observed_version ?? null };
}
