import type { FiledEvidence } from '../build/approvals/decisions.ts';
import { acceptedRoots, rootBefore, rootsTouched, type Trust } from '../build/approvals/trust-root.ts';
import type { CompileContext } from '../build/compile-context.ts';
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

/** What the stages of migration are judged by. */
type Judged = Pick<
  CompileContext,
  'sources' | 'org' | 'commits' | 'places' | 'histories' | 'decisions' | 'development'
>;

/**
 * Holds every agent's last move to the stage rules (§21.6.2): one stage at a time, and forward only on evidence that
 * administrators signed. Going back is free; so is the stage that an agent began its life in. The whole history is
 * asked, so that a move does not pass by with the next commit.
 */
export async function checkAdvances(
  context: Judged,
  { agents }: Configuration,
  trust: Trust,
  blobs: BlobStore,
): Promise<Diagnostic[]> {
  const standings = await readStageRecords(context.commits, context.sources.folder, blobs);
  const faults: Diagnostic[] = [];
  for (const [name, agent] of agents) {
    const move = stageHistoryOf(standings, agent.file)?.move ?? null;
    if (move === null || stepsBetween(move.from, move.to) <= 0) continue;
    const found =
      stepsBetween(move.from, move.to) > 1
        ? skipped(agent, move)
        : await judge(context, name, agent, move, trust, blobs);
    if (found) faults.push(found);
  }
  return faults;
}

function skipped({ file, at }: ConfiguredAgent, { from, to }: Move): Diagnostic {
  const message = `from ${from} to ${to} a stage is skipped`;
  const help = `set migration_mode: ${nextStage(from) ?? to} first, and go on from there (§21.6.2)`;
  return diagnostic('migration_stage_skipped', file, message, help, at(['migration_mode']));
}

async function judge(
  context: Judged,
  name: string,
  { file, at, config }: ConfiguredAgent,
  move: Move,
  trust: Trust,
  blobs: BlobStore,
): Promise<Diagnostic | null> {
  const units = await digestUnits(context.histories.get(name), context.commits, move, blobs);
  const claim: MoveClaim = { deployment: context.org.deployment, garden: name, agent_id: config.agent_id, units, move };
  const near: string[] = [];
  for (const filed of context.decisions.evidence) {
    const why = weigh(context, claim, filed, trust);
    if (why === null) return null;
    if (why !== NOT_MEANT) near.push(`${filed.file} ${why}`);
  }
  // verification is never skipped for an agent that is marked sensitive, whatever else is let through (§21.6.2)
  const severity = context.development && !move.sensitive ? 'warning' : 'error';
  const message = `from ${move.from} to ${move.to} takes signed evidence: ${near.length > 0 ? near.join('; ') : 'there is none'}`;
  const command = `vade shadow --agent ${name} --attest --key <PEM> --ref <a commit in mode ${move.from}>`;
  const help = `set migration_mode: ${move.from} again, and have an administrator run: ${command}`;
  return diagnostic('migration_evidence_missing', file, message, help, at(['migration_mode']), severity);
}

/** What evidence has to speak of, word for word. */
interface MoveClaim {
  readonly deployment: string;
  readonly garden: string;
  readonly agent_id: string;
  readonly units: string;
  readonly move: Move;
}

/** Evidence of another agent, or of another step. */
const NOT_MEANT = 'is of another move';

/** Why a piece of evidence does not carry a move; null where it does. */
function weigh(
  { commits, places, sources }: Judged,
  claim: MoveClaim,
  filed: FiledEvidence,
  trust: Trust,
): string | null {
  if (!isMeant(filed.evidence, claim)) return NOT_MEANT;
  const { move } = claim;
  const timeWindow = timeWindowOf(move, commits, places);
  const touched = new Set(commits.slice(move.at).flatMap((it) => [...rootsTouched(it, sources.folder)]));
  const given = openAt(filed.bytes, trust, touched, timeWindow.moved.at);
  if (typeof given === 'string') return given;
  if (given.units !== claim.units) return 'was seen with other units than those that move on';
  const broken = checkEvidence(given.evidence, timeWindow).filter((it) => !it.met);
  if (broken.length === 0) return null;
  return `does not keep ${broken.map(renderCheck).join(', ')}`;
}

function isMeant(evidence: Evidence, { deployment, garden, agent_id, move }: MoveClaim): boolean {
  const { from, to } = evidence;
  const own = evidence.deployment === deployment && evidence.garden === garden && evidence.agent_id === agent_id;
  return own && from === move.from && to === move.to;
}

/**
 * The evidence, where enough of those signed it who were administrators before the move: what its commit, or a later
 * one, changes about trust does not count for it (DESIGN §7). Any proven root may vouch for them, so that it goes on
 * counting when they have left.
 */
function openAt(bytes: Buffer, trust: Trust, touched: ReadonlySet<number>, now: string): GivenEvidence | string {
  const development = trust.current.root.development === true;
  let why = 'is signed by nobody who may';
  for (const root of acceptedRoots(trust)) {
    const before = development ? root : rootBefore(trust, touched);
    try {
      const then = openEvidence(bytes, before, now);
      const proven = openEvidence(bytes, root, now);
      const by = then.by.filter((admin) => proven.by.includes(admin));
      const needed = neededUnder(before, root);
      if (by.length >= needed) return proven;
      why = `is signed by ${by.length} of ${needed} administrators`;
    } catch (error) {
      if (!(error instanceof VadeError)) throw error;
    }
  }
  return why;
}

/** A development root knows no administrators: its key is enough. */
function neededUnder(before: TrustRoot, root: TrustRoot): number {
  return root.development ? 0 : Math.max(before.thresholds.approval, root.thresholds.approval);
}
