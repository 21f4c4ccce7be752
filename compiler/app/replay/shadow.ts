import { readExtent } from '../../../server/audit/extent.ts';
import { spooledRows } from '../../../server/audit/queue/spool-file.ts';
import { readAnswers } from '../../../server/audit/read-answers.ts';
import { agentMissing, gardenOf, loadProven, loadShared } from '../../io/bundle/load-garden.ts';
import type { OpenBundle, ProvenGarden } from '../../io/bundle/open-bundle.ts';
import { measuredOf } from '../../quality/metrics/measured-garden.ts';
import { shadow, type Shadowed, type ShadowedAgent, type ShadowedAnswer } from '../../quality/shadow.ts';
import { factsLeft } from '../../recall/recall-garden.ts';
import type { AuditHead } from '../../schema/bundle/evidence.ts';
import { Manifest } from '../../schema/bundle/manifest.ts';
import { check, checkFigures, nextStage, type StageCheck } from '../../schema/bundle/migration-stage.ts';
import { VadeError } from '../../schema/errors.ts';
import type { Shadow } from '../../schema/report/shadow.ts';
import type { Agent } from '../../schema/source/agent.ts';
import { auditPlaceFrom } from '../../world/audit-place.ts';
import type { Arguments } from '../../world/flags/flag.ts';
import type { SHADOW } from '../../world/flags/quality.ts';
import { inForce } from '../../world/in-force.ts';
import { pinnedBundle } from '../../world/pinned-bundle.ts';
import { windowFrom } from '../../world/time-window.ts';
import type { World } from '../../world/world.ts';

export type ShadowFlags = Arguments<typeof SHADOW>;

/** One agent, the audit of its heartbeats, and the bundle to compare them with. */
export interface ShadowRun {
  readonly bundle: OpenBundle;
  readonly garden: ProvenGarden;
  readonly agent: Agent;
  readonly shadowed: ShadowedAgent;
  readonly manifest: Manifest;
  readonly place: ReturnType<typeof auditPlaceFrom>;
  /** Milliseconds since 1970: inclusive, exclusive. */
  readonly window: { readonly since: number; readonly until: number };
  /** Rows that still wait in the spool. */
  readonly spooled: number;
}

/** @throws bundle_not_found, bundle_unverified, agent_not_found, argument_invalid */
export function openShadowRun(args: ShadowFlags, world: World): ShadowRun {
  const place = auditPlaceFrom(args, world);
  const now = world.now();
  const bundle = pinnedBundle(args, world);
  const garden = bundle.readGarden(gardenOf(bundle, args.agent));
  const { agent } = garden.statement.predicate;
  if (agent === null) throw agentMissing(bundle, args.agent);
  const manifest = Manifest.parse(JSON.parse(garden.files.get('manifest.json')?.toString('utf8') ?? 'null'));
  const window = closedWindow(args, now.getTime(), world);
  return {
    bundle,
    garden,
    agent,
    manifest,
    place,
    window,
    // as of the window's end: administrators who sign one after the other must see the same figures
    shadowed: toShadowed(bundle, garden, manifest, window.until),
    spooled: spooledRows(place),
  };
}

/** The costs of eager loading: all that the agent can recall, counted as in the live metrics. */
function toShadowed(bundle: OpenBundle, garden: ProvenGarden, manifest: Manifest, at: number): ShadowedAgent {
  const { recall, predicate } = loadProven(bundle, garden, loadShared(bundle));
  const facts = factsLeft(inForce(bundle)(recall));
  const { entity, units, eagerTokens, stubTokens } = measuredOf({ predicate, facts, coverage: null }, at);
  return { entity, units, costs: { everything: eagerTokens, stub: stubTokens, manifest: manifest.token_count } };
}

/** A window that has ended. @throws argument_invalid */
function closedWindow(args: ShadowFlags, now: number, world: World): ShadowRun['window'] {
  const { since, until } = windowFrom(args, world);
  if (args.until === undefined) return { since, until: now };
  if (until <= now) return { since, until };
  throw new VadeError('argument_invalid', '--until is in the future', { flag: 'until' });
}

/** The comparison, and the inputs of evidence. */
export interface ShadowComparison {
  readonly shadow: Shadow;
  readonly shadowed: Shadowed;
  readonly heads: readonly AuditHead[];
  /** Revisions that answered in the window, sorted. */
  readonly revisions: readonly string[];
  /** Whether the audit covers the window from its beginning. */
  readonly covers: StageCheck;
}

/** @throws audit_not_found, argument_invalid, output_failed */
export async function compareAgent({
  garden,
  agent,
  shadowed: of,
  place,
  window,
}: ShadowRun): Promise<ShadowComparison> {
  const answers: ShadowedAnswer[] = [];
  const revisions = new Set<string>();
  for await (const page of readAnswers(place, { agent: agent.agent_id, ...window })) {
    for (const { kind, heartbeat_id, heartbeat_source, asked_by, loaded_chunks, tokens, ...it } of page) {
      const { aborted, created_at, closing, bundle_revision } = it;
      // drops intents and requests, because a window may be long
      answers.push({
        kind,
        aborted,
        heartbeat_id,
        heartbeat_source,
        asked_by,
        loaded_chunks,
        tokens,
        created_at,
        closing,
      });
      if (asked_by === of.entity) revisions.add(bundle_revision);
    }
  }
  const shadowed = shadow(answers, window.until, of);
  const { heads, earliest } = await readExtent(place, window);
  const [since, until] = [window.since, window.until].map((it) => new Date(it).toISOString()) as [string, string];
  const begins = earliest === null ? 'the audit is empty' : `the audit begins at ${new Date(earliest).toISOString()}`;
  const covers = check('audit_covers_window', earliest !== null && earliest <= window.since, begins, `by ${since}`);
  const next = nextStage(agent.migration_mode);
  const figures = next === null ? [] : checkFigures({ to: next, since, until, figures: shadowed.figures });
  const rules = next === 'stigmem' ? [...figures, covers] : figures;
  const head = { agent: garden.name, agent_id: agent.agent_id, mode: agent.migration_mode, next, since, until };
  return { shadow: { ...head, ...shadowed.totals, rules }, shadowed, heads, revisions: [...revisions].sort(), covers };
}
