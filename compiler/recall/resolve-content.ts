import type { Chunk, Outcome } from '../schema/api/recall.ts';
import type { RecallFact, RecallGarden } from './recall-garden.ts';

/** The content that can be served for a unit at an instant. */
export interface Served {
  readonly content: string;
  readonly tokens: number;
  /** sha256 of the whole text. */
  readonly digest: string;
  readonly source: Chunk['source'];
  /** Whether the content is the beginning of a skill's text alone. */
  readonly isPart?: boolean;
}

/** The units of a garden that can be served at one instant. */
export interface Serving {
  /** Null if there is nothing to serve. */
  readonly serve: (unit: number) => Served | null;
  /** Every unit with nothing to serve, and why. */
  readonly absent: ReadonlyMap<number, Outcome>;
}

/** The form of skills in an answer. */
export interface SkillServing {
  /** Tokens of a skill's text; a longer one is cut where a section ends. */
  readonly budget: number;
  /** Whether the agent's disk has a skill: then a pointer is enough. */
  readonly isOnDisk: (fact: RecallFact) => boolean;
}

const WHOLE: SkillServing = { budget: Infinity, isOnDisk: () => false };

/** Determines what can be served of a garden at an instant. */
export function servingAt(garden: RecallGarden, now: string, skills = WHOLE): Serving {
  const at = Date.parse(now);
  const absent = new Map<number, Outcome>();
  for (const unit of garden.expiring) {
    if (isInForce(garden, unit, at) || serve(garden, unit, at, skills)) continue;
    absent.set(unit, garden.facts[unit]?.content === '' ? 'unavailable' : 'expired');
  }
  for (const unit of garden.withdrawn) absent.set(unit, 'withdrawn');
  return { serve: (unit) => serve(garden, unit, at, skills), absent };
}

function isInForce({ until }: RecallGarden, unit: number, at: number): boolean {
  return (until[unit] ?? -Infinity) > at;
}

/** §21.6.1: the fact, or the legacy file if no fact is in force; null if there is neither. */
function serve(garden: RecallGarden, unit: number, at: number, skills: SkillServing): Served | null {
  const fact = garden.facts[unit];
  if (!fact || garden.withdrawn.has(unit)) return null;
  const { content, tokens, digest, fallback } = fact;
  if (isInForce(garden, unit, at)) {
    if (fact.skill) return serveSkill(fact, fact.skill, garden.index.candidateTokens[unit] ?? 0, skills);
    return { content, tokens, digest, source: 'stigmem' };
  }
  const text = fallback && garden.fallbacks.get(fallback.path);
  if (!fallback || text === null || text === undefined) return null;
  return { content: text, tokens: fallback.tokens, digest: fallback.digest, source: 'fallback_path' };
}

/** Tokens of a pointer beside name and description: how the skill is started. */
const START_TOKENS = 14;

/** A pointer to a skill on the agent's disk; otherwise the sections of its text that fit, from the first. */
function serveSkill(
  fact: RecallFact,
  { sections }: NonNullable<RecallFact['skill']>,
  named: number,
  { budget, isOnDisk }: SkillServing,
): Served {
  const { content, digest, delivery } = fact;
  if (isOnDisk(fact)) return { content: delivery.description, tokens: named + START_TOKENS, digest, source: 'pointer' };
  if (fact.tokens <= budget) return { content, tokens: fact.tokens, digest, source: 'stigmem' };
  const [end, tokens] = sections.findLast(([, it]) => it <= budget) ?? [0, 0];
  return { content: content.slice(0, end), tokens, digest, source: 'stigmem', isPart: true };
}
