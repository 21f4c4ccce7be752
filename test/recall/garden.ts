import { candidateText } from '../../compiler/recall/candidates.ts';
import { buildMeasuredIndex } from '../../compiler/recall/everyday/measured-index.ts';
import { loadIndex, type IndexedUnit } from '../../compiler/recall/index/search-index.ts';
import { readyGarden, type RecallGarden } from '../../compiler/recall/recall-garden.ts';
import { recall } from '../../compiler/recall/recall.ts';
import type { Encoder } from '../../compiler/recall/signals/semantic.ts';
import { ComputedRecall } from '../../compiler/schema/api/recall.ts';
import type { Fact } from '../../compiler/schema/bundle/fact.ts';
import type { Skill } from '../../compiler/schema/bundle/skill.ts';
import { Delivery } from '../../compiler/schema/source/unit.ts';
import { canonicalBytes, sha256 } from '../../compiler/trust/canonical.ts';

export const NOW = '2026-05-04T12:00:00.000Z';
export const PAST = '2026-05-04T11:59:59Z';
export const FUTURE = '2026-05-04T12:00:01Z';

/** A unit in the few words that recall looks at; everything else is at its default. */
export interface Planted {
  readonly name: string;
  readonly description?: string;
  readonly intents?: readonly string[];
  readonly keywords?: readonly string[];
  readonly phrases?: readonly string[];
  readonly aliases?: readonly string[];
  /** Empty where only a legacy file stands behind the unit. */
  readonly content?: string;
  readonly tokens?: number;
  readonly guaranteed?: boolean;
  readonly prepend?: boolean;
  /** Patterns of the files that it is about. */
  readonly files?: readonly string[];
  /** Wake reasons that it is owed to. */
  readonly owedTo?: readonly string[];
  readonly validUntil?: string | null;
  /** Text of the legacy file. */
  readonly fallback?: string | null;
  readonly links?: readonly string[];
  readonly version?: number;
  /** Of a skill in place: its files, and the tokens at the ends of its sections. */
  readonly skill?: Partial<Skill>;
  /** Its URI without the version, where it is none of the agent's own. */
  readonly series?: string;
}

/** Builds a garden as a compile and a server do: index written, read back, facts in its order. */
export async function plant(
  units: readonly Planted[],
  encoder: Encoder | null = null,
  functionWords: readonly string[] | null = null,
  everyday: readonly string[] = [],
): Promise<RecallGarden> {
  const sorted = [...units].sort((a, b) => (a.name < b.name ? -1 : 1));
  const built = await buildMeasuredIndex(sorted.map(indexed), encoder, null, functionWords, everyday);
  const files = new Map([...built.json].map(([path, value]) => [path, canonicalBytes(value)] as const));
  for (const [path, bytes] of built.binary) files.set(path, bytes);
  return readyGarden(
    loadIndex((path) => files.get(path)),
    sorted.map(toFact),
    new Map(sorted.flatMap((it) => (it.fallback == null ? [] : [[pathOf(it), it.fallback] as const]))),
  );
}

/** A unit as an index takes it in. */
export function indexed(unit: Planted): IndexedUnit {
  return {
    name: unit.name,
    series: seriesOf(unit),
    aliases: unit.aliases ?? [],
    description: unit.description ?? '',
    // a token a character
    candidate_tokens: candidateText({ name: unit.name, description: descriptionOf(unit) }).length,
    headings: [],
    content: contentOf(unit),
    intents: unit.intents ?? [],
    keywords: unit.keywords ?? [],
    task_types: [],
    phrases: unit.phrases ?? [],
    links: unit.links ?? [],
  };
}

const descriptionOf = (unit: Planted) => unit.description ?? unit.name;
const contentOf = (unit: Planted) => unit.content ?? `${unit.description ?? unit.name}\n`;
const seriesOf = (unit: Planted) => unit.series ?? `instruction:acme/agent/cto/${unit.name}`;
const pathOf = (unit: Planted) => `docs/${unit.name}.md`;

function toFact(unit: Planted): Fact {
  const content = contentOf(unit);
  return {
    uri: `${seriesOf(unit)}/v${unit.version ?? 1}`,
    name: unit.name,
    version: unit.version ?? 1,
    content,
    digest: sha256(content),
    source_digest: sha256(content),
    created_at: '2026-01-01T00:00:00Z',
    valid_until: unit.validUntil ?? null,
    authored_by: 'acme/human/ada-lovelace',
    authored_at: '2026-01-01T00:00:00Z',
    source_trust: 0.5,
    verified: false,
    derived_from: null,
    commit: '0'.repeat(40),
    file: `instructions/agents/cto/${unit.name}.md`,
    tokens: content === '' ? 0 : (unit.tokens ?? 10),
    delivery: Delivery.parse({
      description: descriptionOf(unit),
      guarantee_load: unit.guaranteed === true,
      required_by_task_types: unit.owedTo ?? [],
      ...(unit.files && { files: unit.files }),
      force_position: unit.prepend === true ? 'prepend' : 'append',
    }),
    ...(unit.skill && {
      skill: { folder: `skills/${unit.name}`, description: 'About', files: [], sections: [], ...unit.skill },
    }),
    fallback:
      unit.fallback == null ? null : { path: pathOf(unit), digest: sha256(unit.fallback), tokens: unit.tokens ?? 10 },
  };
}

/** Asks with explanation; what is not given is at its default. */
export function ask(garden: RecallGarden, intent: string, more: Partial<ComputedRecall> = {}, now = NOW) {
  const answer = recall(garden, ComputedRecall.parse({ intent, ...more }), { now, query: null, explain: true });
  const units = answer.explain?.units ?? [];
  return {
    ...answer,
    names: answer.chunks.map((it) => it.name),
    units,
    outcome: (name: string) => units.find((it) => it.name === name)?.outcome,
    unit: (name: string) => units.find((it) => it.name === name),
    /** Names by rank, before any budget. */
    ranking: units
      .filter((it) => it.rank !== null)
      .sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0))
      .map((it) => it.name),
  };
}
