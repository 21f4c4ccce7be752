import { HEARTBEAT_TOKEN_BUDGET, type Preload } from '../schema/api/heartbeat.ts';
import type { MissingUnit } from '../schema/api/recall.ts';
import type { WARNINGS } from '../schema/errors.ts';
import type { RecallGarden } from './recall-garden.ts';
import { servingAt, type Serving } from './resolve-content.ts';

/** The preloads of a wake reason, and the required units that are unavailable. */
export interface Preloaded {
  /** Sorted by name. */
  readonly preloads: readonly Preload[];
  /** sha256 of each text, in the order of the preloads. */
  readonly content_digests: readonly string[];
  /** Required units that are unavailable, sorted by name. */
  readonly unavailable: readonly MissingUnit[];
  /** The unavailable units that are guaranteed: the heartbeat must fail (§21.1.5 S2). */
  readonly fatal: readonly string[];
  /** Tokens of stub and preloads together. */
  readonly total_tokens: number;
  readonly warnings: readonly (typeof WARNINGS)[number][];
}

export interface PreloadContext {
  /** As sent by the control plane; compared exactly. */
  readonly wake_reason: string;
  /** ISO 8601. */
  readonly now: string;
  /** Tokens of the boot stub that is sent with the preloads. */
  readonly stub_tokens: number;
}

/**
 * The units of an agent, its own and shared ones, that a wake reason requires (§21.1.5): all of them, complete, sorted
 * by name; nothing is scored, ranked or dropped. Pure: the same garden, wake reason and instant give the same answer.
 */
export function preload(garden: RecallGarden, { wake_reason, now, stub_tokens }: PreloadContext): Preloaded {
  const serving = servingAt(garden, now);
  // facts are in the order of their names
  const required = [...garden.facts.keys()].filter((unit) =>
    garden.facts[unit]?.delivery.required_by_task_types.includes(wake_reason),
  );
  const loaded = required.flatMap((unit) => toPreload(garden, serving, unit) ?? []);
  const missed = required.filter((unit) => serving.serve(unit) === null);
  const total = loaded.reduce((all, { preload: { tokens } }) => all + tokens, stub_tokens);
  return {
    preloads: loaded.map((it) => it.preload),
    content_digests: loaded.map((it) => it.digest),
    unavailable: missed.map((unit) => ({
      name: garden.facts[unit]?.name ?? '',
      outcome: serving.absent.get(unit) ?? 'unavailable',
    })),
    fatal: missed.flatMap((unit) => {
      const fact = garden.facts[unit];
      return fact?.delivery.guarantee_load === true ? [fact.name] : [];
    }),
    total_tokens: total,
    warnings: [
      ...(missed.length > 0 ? (['preload_unit_unavailable'] as const) : []),
      ...(total > HEARTBEAT_TOKEN_BUDGET ? (['preload_budget_warning'] as const) : []),
    ],
  };
}

function toPreload({ facts }: RecallGarden, { serve }: Serving, unit: number) {
  const fact = facts[unit];
  const served = serve(unit);
  if (!fact || !served) return null;
  const { content, tokens, digest } = served;
  const inForce = served.source === 'stigmem';
  const preload: Preload = {
    name: fact.name,
    fact_uri: fact.uri,
    content,
    tokens,
    valid_until: inForce ? fact.valid_until : null,
    version: `v${fact.version}`,
    source: inForce ? 'task_type_preload' : 'fallback_path',
  };
  return { preload, digest };
}
