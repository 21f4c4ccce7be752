import { createHash } from 'node:crypto';
import { readyGarden, type RecallGarden } from '../../../compiler/recall/recall-garden.ts';
import type { Encoder } from '../../../compiler/recall/signals/semantic.ts';
import type { Fact } from '../../../compiler/schema/bundle/fact.ts';
import { Delivery } from '../../../compiler/schema/source/unit.ts';
import { indexOf, toUnit, type Texts } from '../recall/units.ts';

const WHEN = '2026-01-01T00:00:00Z';

/** A garden of units that never were in a repository, sorted by name. */
export async function gardenOf(units: readonly Texts[], encoder: Encoder | null): Promise<RecallGarden> {
  const sorted = [...units].sort((a, b) => (a.name < b.name ? -1 : 1));
  const index = await indexOf(sorted.map(toUnit), encoder);
  return readyGarden(index, sorted.map(factOf), new Map());
}

function factOf({ name, description, intents, content }: Texts): Fact {
  const digest = createHash('sha256').update(content).digest('hex');
  return {
    uri: `instruction:bench/agent/bench/${name}/v1`,
    name,
    version: 1,
    content,
    digest,
    source_digest: digest,
    created_at: WHEN,
    valid_until: null,
    authored_by: 'bench/human/bench',
    authored_at: WHEN,
    source_trust: 0,
    verified: false,
    derived_from: null,
    commit: '0'.repeat(40),
    file: `agents/bench/${name}.md`,
    // about as many as a tokenizer would count
    tokens: Math.ceil(content.length / 4),
    delivery: Delivery.parse({ description: description.slice(0, 120), load_triggers: { intents } }),
    fallback: null,
  };
}
