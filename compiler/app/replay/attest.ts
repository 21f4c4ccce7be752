import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { verifyAudit } from '../../../server/audit/maintenance.ts';
import { traceGardens } from '../../history/garden-timeline.ts';
import { historiesOf } from '../../history/unit-versions.ts';
import { replaceFile } from '../../io/files/durable.ts';
import { checkEvidence, digestUnits, timeWindowOf } from '../../migration/evidence.ts';
import { stageHistoryOf, readStageRecords } from '../../migration/stage-history.ts';
import { Evidence, EVIDENCE_TYPE } from '../../schema/bundle/evidence.ts';
import { check, nextStage, renderCheck, type StageCheck } from '../../schema/bundle/migration-stage.ts';
import { VadeError } from '../../schema/errors.ts';
import type { Agent } from '../../schema/source/agent.ts';
import { MAX_UNIT_BYTES } from '../../schema/source/unit.ts';
import { blobStore } from '../../sources/blobs.ts';
import { addSignature } from '../../trust/add-signature.ts';
import { adminKeys, ownersOf } from '../../trust/approval.ts';
import { sha256 } from '../../trust/canonical.ts';
import { claimedKeyIds, peekPayload, type Signer } from '../../trust/dsse.ts';
import { evidencePayload, signEvidence } from '../../trust/evidence.ts';
import { pinnedKeys, spooledWarnings } from '../../world/audit-place.ts';
import type { Warning, World } from '../../world/world.ts';
import { adminKey, noAdministrator } from '../approve/admin-key.ts';
import { inWorkingTree, openSite, type OpenSite } from '../approve/open-site.ts';
import { compareAgent, openShadowRun, type ShadowComparison, type ShadowFlags, type ShadowRun } from './shadow.ts';

/** The result of an attestation. */
export interface AttestResult {
  readonly effect: 'created' | 'updated' | 'noop' | 'would_create' | 'would_update' | 'would_noop';
  readonly checks: readonly StageCheck[];
  readonly evidence: {
    readonly file: string;
    readonly by: string | null;
    readonly signatures: number;
    readonly needed: number | null;
  };
  readonly hints: readonly string[];
  readonly warnings: readonly Warning[];
}

/**
 * Compares lazy with eager loading for an agent, and signs evidence of it if the flags say so.
 *
 * @throws what `attest` throws
 */
export async function compareAndAttest(args: ShadowFlags, world: World) {
  const run = openShadowRun(args, world);
  const compared = await compareAgent(run);
  const attested = args.attest ? await attest(args, run, compared, world) : null;
  const { effect = 'noop', checks, warnings = [], evidence = null } = attested ?? {};
  const all = compared.shadowed.heartbeats;
  const listed = args.limit === 0 ? all : all.slice(0, args.limit);
  const shadow = { ...compared.shadow, rules: [...(checks ?? compared.shadow.rules)] };
  return {
    data: { effect, shadow, listed, omitted: all.length - listed.length, evidence },
    attested,
    warnings: [...warnings, ...spooledWarnings(run.spooled)],
  };
}

/**
 * Signs that an agent may go to its next stage (§21.6.2), by the same rules by which a compile accepts the change. The
 * audit is verified first, because evidence from a changed audit is worthless.
 *
 * @throws evidence_insufficient, audit_unverified, signing_key_required, agent_not_found, argument_invalid, and what
 * opening the sources may
 */
async function attest(
  args: ShadowFlags,
  run: ShadowRun,
  comparison: ShadowComparison,
  world: World,
): Promise<AttestResult> {
  const signer = adminKey(args, world);
  await verifyAudit(run.place, { pinned: pinnedKeys(args['checkpoint-key'], world) });
  const site = await openSite(args, run.garden.name, world);
  const { by, needed, warnings } = judgeSigner(signer, site, args.dev);
  const { payload, checks } = await collectEvidence(site, run, comparison, world.now().toISOString());
  if (checks.some((it) => !it.met)) throw insufficient(run.garden.name, checks);
  const name = `${run.garden.name}-migration-${sha256(payload).slice(0, 12)}.json`;
  const path = inWorkingTree(args, world, 'approvals', name);
  const { bytes, change } = addToFile(path, payload, signer);
  if (!args['dry-run'] && change !== 'noop') replaceFile(path, bytes, { folders: true, limit: MAX_UNIT_BYTES });
  const signatures = claimedKeyIds(bytes, EVIDENCE_TYPE).length;
  return {
    effect: args['dry-run'] ? `would_${change}` : DONE[change],
    checks,
    evidence: { file: relative(world.cwd, path), by, signatures, needed },
    hints: needed !== null && signatures < needed ? [cosignHint(run, comparison)] : [],
    warnings,
  };
}

const DONE = { create: 'created', update: 'updated', noop: 'noop' } as const;

/** With the same window of the same audit, the next administrator signs the same file. */
function cosignHint({ garden }: ShadowRun, { shadow: { since, until } }: ShadowComparison): string {
  return `another administrator runs: vade shadow --agent ${garden.name} --attest --key <PEM> --since ${since} --until ${until}`;
}

/** An error with every rule that is not met. */
function insufficient(agent: string, checks: readonly StageCheck[]): VadeError {
  const broken = checks.filter((it) => !it.met);
  const message = `${agent} does not meet the rules of its next stage: ${broken.map(renderCheck).join('; ')}`;
  return new VadeError('evidence_insufficient', message, { rules: checks });
}

/** The owner of the key, and whether a compile will accept the signature. @throws signing_key_required */
function judgeSigner(signer: Signer, { trust }: OpenSite, dev: boolean) {
  if (dev) return { by: null, needed: null, warnings: [] };
  const known = trust !== null && adminKeys(trust.root).includes(signer.keyid);
  const [by = null] = known ? ownersOf(trust.root, [signer.keyid]) : [];
  const needed = trust?.root.thresholds.approval ?? null;
  if (by !== null) return { by, needed, warnings: [] };
  if (trust !== null) throw noAdministrator(trust.root);
  const message = 'the owner of this key is unknown; give --trust';
  return { by: null, needed, warnings: [{ code: 'APPROVER_UNKNOWN', message }] };
}

/** The evidence to sign, with the result of every rule. */
async function collectEvidence(
  { sources, agents, org, past: { commits }, legacyOwners }: OpenSite,
  run: ShadowRun,
  comparison: ShadowComparison,
  now: string,
): Promise<{ payload: Buffer; checks: readonly StageCheck[] }> {
  const { garden, agent, manifest } = run;
  const blobs = blobStore(sources);
  const configured = agents.get(garden.name);
  if (!configured) throw new VadeError('agent_not_found', `${sources.folder}/agents/ has no agent ${garden.name}`);
  const mode = configured.config.migration_mode;
  const next = nextIn(mode);
  const stageHistory = stageHistoryOf(await readStageRecords(commits, sources.folder, blobs), configured.file);
  const places = await sources.places();
  const last = commits.length - 1;
  const { began } = timeWindowOf({ began: stageHistory?.since ?? 0, at: last }, commits, places);
  const evidence = evidenceOf(org.deployment, configured.config, run, comparison);
  const commit =
    traceGardens(commits, sources.folder, [garden.name], places, legacyOwners).get(garden.name)?.commit ?? '';
  const compiled = garden.statement.predicate;
  const current = compiled.commit === commit && compiled.deployment === org.deployment;
  const history = historiesOf(commits, sources.folder).get(garden.name);
  const units = await digestUnits(history, commits, { at: last, to: next }, blobs);
  const digest = sha256(garden.files.get('manifest.json') ?? '');
  const checks = [
    ...checkEvidence(evidence, { began, moved: { place: Number.MAX_SAFE_INTEGER, at: now } }),
    ...(next === 'stigmem' ? [comparison.covers] : []),
    check('bundle_current', current && agent.migration_mode === mode, `a bundle of ${compiled.commit}`, commit),
  ];
  return { payload: evidencePayload(evidence, { manifest: { uri: manifest.fact_uri, digest }, units }), checks };
}

function evidenceOf(
  deployment: string,
  { agent_id, migration_mode }: Agent,
  { bundle, garden }: ShadowRun,
  { shadow, shadowed, heads, revisions }: ShadowComparison,
): Evidence {
  return Evidence.parse({
    deployment,
    garden: garden.name,
    agent_id,
    from: migration_mode,
    to: nextIn(migration_mode),
    since: shadow.since,
    until: shadow.until,
    figures: shadowed.figures,
    revisions,
    bundle_revision: bundle.revision,
    audit_heads: heads,
  });
}

/** @throws argument_invalid for an agent in the last stage */
function nextIn(mode: Agent['migration_mode']) {
  const next = nextStage(mode);
  if (next !== null) return next;
  throw new VadeError('argument_invalid', `the agent is in mode ${mode}: there is no further stage`, {
    flag: 'attest',
  });
}

/** The file with this signature added, if it has the same evidence. @throws already_exists */
function addToFile(path: string, payload: Buffer, signer: Signer): { bytes: Buffer; change: keyof typeof DONE } {
  if (!existsSync(path)) return { bytes: signEvidence(payload, [signer]), change: 'create' };
  const before = readFileSync(path);
  if (!peekPayload(before, EVIDENCE_TYPE).equals(payload)) {
    throw new VadeError('already_exists', `${path} has different evidence`);
  }
  const bytes = addSignature(before, EVIDENCE_TYPE, signer);
  return { bytes, change: bytes.equals(before) ? 'noop' : 'update' };
}
