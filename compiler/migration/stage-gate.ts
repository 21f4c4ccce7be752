import type { FiledEvidence } from '../gardens/approvals/read-decisions.ts';
import { acceptedRoots, rootBefore, rootsTouched, type Trust } from '../gardens/approvals/trust-root.ts';
import type { CompileContext } from '../gardens/compile-context.ts';
import type { Evidence } from '../schema/bundle/evidence.ts';
import { nextStage, renderCheck, stepsBetween } from '../schema/bundle/migration-stage.ts';
import { diagnostic, type Diagnostic } from '../schema/diagnostics.ts';
import { VadeError } from '../schema/errors.ts';
import type { TrustRoot } from '../schema/source/trust-root.ts';
import type { BlobStore } from '../sources/blobs.ts';
import type { Configuration, ConfiguredAgent } from '../sources/config.ts';
import { openEvidence, type GivenEvidence } from '../trust/evidence.ts';
import { checkEvidence, digestUnits, timeWindowOf } from './evidence.ts';
import { stageHistoryOf, readStageRecords, type Move } from './stage-history.ts';

/** The part of the compile context that the stage rules need. */
type StageContext = Pick<
  CompileContext,
  'sources' | 'org' | 'commits' | 'places' | 'histories' | 'administratorDecisions' | 'development'
>;

/**
 * Checks every agent's last move against the stage rules (§21.6.2): one stage at a time, and forward only with evidence
 * that administrators signed. A step back and an agent's first stage need none. The whole history is read, so that the
 * check of a move cannot be avoided by another commit.
 */
export async function checkAdvances(
  context: StageContext,
  { agents }: Configuration,
  trust: Trust,
  blobs: BlobStore,
): Promise<Diagnostic[]> {
  const records = await readStageRecords(context.commits, context.sources.folder, blobs);
  const diagnostics: Diagnostic[] = [];
  for (const [name, agent] of agents) {
    const move = stageHistoryOf(records, agent.file)?.move ?? null;
    if (move === null || stepsBetween(move.from, move.to) <= 0) continue;
    const found =
      stepsBetween(move.from, move.to) > 1
        ? skippedStage(agent, move)
        : await checkMove(context, name, agent, move, trust, blobs);
    if (found) diagnostics.push(found);
  }
  return diagnostics;
}

function skippedStage({ file, at }: ConfiguredAgent, { from, to }: Move): Diagnostic {
  const message = `the move from ${from} to ${to} skips a stage`;
  const help = `set migration_mode: ${nextStage(from) ?? to} first; the next stage is a later step (§21.6.2)`;
  return diagnostic('migration_stage_skipped', file, message, help, at(['migration_mode']));
}

async function checkMove(
  context: StageContext,
  name: string,
  { file, at, config }: ConfiguredAgent,
  move: Move,
  trust: Trust,
  blobs: BlobStore,
): Promise<Diagnostic | null> {
  const units = await digestUnits(context.histories.get(name), context.commits, move, blobs);
  const claim: MoveClaim = { deployment: context.org.deployment, garden: name, agent_id: config.agent_id, units, move };
  const reasons: string[] = [];
  for (const filed of context.administratorDecisions.evidence) {
    const reason = whyInsufficient(context, claim, filed, trust);
    if (reason === null) return null;
    if (reason !== OTHER_MOVE) reasons.push(`${filed.file} ${reason}`);
  }
  // §21.6.2: verification is never skipped for a sensitive agent, not even under --dev
  const severity = context.development && !move.sensitive ? 'warning' : 'error';
  const message = `the move from ${move.from} to ${move.to} needs signed evidence: ${reasons.length > 0 ? reasons.join('; ') : 'there is none'}`;
  const command = `vade shadow --agent ${name} --attest --key <PEM> --ref <a commit in mode ${move.from}>`;
  const help = `set migration_mode: ${move.from} again, and have an administrator run: ${command}`;
  return diagnostic('migration_evidence_missing', file, message, help, at(['migration_mode']), severity);
}

/** The move that evidence must match exactly. */
interface MoveClaim {
  readonly deployment: string;
  readonly garden: string;
  readonly agent_id: string;
  readonly units: string;
  readonly move: Move;
}

/** Evidence for another agent or another step. */
const OTHER_MOVE = 'is for another move';

/** Why evidence is not sufficient for a move; null if it is. */
function whyInsufficient(
  { commits, places, sources }: StageContext,
  claim: MoveClaim,
  filed: FiledEvidence,
  trust: Trust,
): string | null {
  if (!isFor(filed.evidence, claim)) return OTHER_MOVE;
  const { move } = claim;
  const timeWindow = timeWindowOf(move, commits, places);
  const touched = new Set(commits.slice(move.at).flatMap((it) => [...rootsTouched(it, sources.folder)]));
  const given = openAt(filed.bytes, trust, touched, timeWindow.moved.at);
  if (typeof given === 'string') return given;
  if (given.units !== claim.units) return 'was collected with other units';
  const broken = checkEvidence(given.evidence, timeWindow).filter((it) => !it.met);
  if (broken.length === 0) return null;
  return `does not meet ${broken.map(renderCheck).join(', ')}`;
}

function isFor(evidence: Evidence, { deployment, garden, agent_id, move }: MoveClaim): boolean {
  const { from, to } = evidence;
  const own = evidence.deployment === deployment && evidence.garden === garden && evidence.agent_id === agent_id;
  return own && from === move.from && to === move.to;
}

/**
 * Verifies evidence: enough of the people who were administrators before the move must have signed it. Changes of trust
 * by the commit of the move, or by a later one, do not count for it (DESIGN §7). Any verified root may confirm the
 * signatures, so evidence remains valid after its signers are removed.
 *
 * @returns the evidence, or why it does not count
 */
function openAt(bytes: Buffer, trust: Trust, touched: ReadonlySet<number>, now: string): GivenEvidence | string {
  const development = trust.current.root.development === true;
  let reason = 'has no administrator’s signature';
  for (const root of acceptedRoots(trust)) {
    const before = development ? root : rootBefore(trust, touched);
    try {
      const then = openEvidence(bytes, before, now);
      const proven = openEvidence(bytes, root, now);
      const by = then.by.filter((admin) => proven.by.includes(admin));
      const needed = neededUnder(before, root);
      if (by.length >= needed) return proven;
      reason = `is signed by ${by.length} of ${needed} administrators`;
    } catch (error) {
      if (!(error instanceof VadeError)) throw error;
    }
  }
  return reason;
}

/** A development root needs no administrators: its key is enough. */
function neededUnder(before: TrustRoot, root: TrustRoot): number {
  return root.development ? 0 : Math.max(before.thresholds.approval, root.thresholds.approval);
}
