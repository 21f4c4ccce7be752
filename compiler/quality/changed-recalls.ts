import type { RecallGarden } from '../recall/recall-garden.ts';
import { recall } from '../recall/recall.ts';
import { RecallRequest } from '../schema/api/recall.ts';
import type { ChangedRecall } from '../schema/report/comparison.ts';
import type { QueryOf } from './probes.ts';

/** One side of the comparison: a garden, and how its index takes an intent. */
export interface AskedGarden {
  readonly garden: RecallGarden;
  readonly queryOf: QueryOf;
}

/** An intent of the sources, to ask of both sides. */
export interface SourceIntent {
  readonly intent: string;
  readonly source: 'probe' | 'trigger';
}

/**
 * Asks two gardens the same intents, and reports those that bring other units. Guaranteed units are left out: they come
 * with every recall, so one of them would change all.
 *
 * @param now ISO 8601
 */
export async function changedRecalls(
  before: AskedGarden,
  after: AskedGarden,
  intents: readonly SourceIntent[],
  now: string,
): Promise<ChangedRecall[]> {
  const always = new Set([...guaranteedIn(before.garden), ...guaranteedIn(after.garden)]);
  const changed: ChangedRecall[] = [];
  for (const { intent, source } of intents) {
    const from = (await namesFor(before, intent, now)).filter((it) => !always.has(it));
    const to = (await namesFor(after, intent, now)).filter((it) => !always.has(it));
    const dropped = from.filter((it) => !to.includes(it));
    const gained = to.filter((it) => !from.includes(it));
    if (dropped.length + gained.length > 0) changed.push({ intent, id: null, source, dropped, gained });
  }
  return changed;
}

/** The triggers of a garden's units and its probes' intents, each once: probes first, then by name of the unit. */
export function intentsOf(gardens: readonly RecallGarden[], probed: readonly string[]): SourceIntent[] {
  const triggers = gardens.flatMap(({ facts }) => facts.flatMap((it) => it.delivery.load_triggers.intents));
  const known = new Map<string, SourceIntent>();
  for (const intent of probed) known.set(intent, { intent, source: 'probe' });
  for (const intent of triggers) if (!known.has(intent)) known.set(intent, { intent, source: 'trigger' });
  return [...known.values()];
}

const guaranteedIn = ({ facts, guaranteed }: RecallGarden): string[] =>
  guaranteed.flatMap((unit) => facts[unit]?.name ?? []);

async function namesFor({ garden, queryOf }: AskedGarden, intent: string, now: string): Promise<string[]> {
  const request = RecallRequest.parse({ intent });
  return recall(garden, request, { now, query: await queryOf(intent), explain: false }).chunks.map(({ name }) => name);
}
