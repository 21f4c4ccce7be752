import fc from 'fast-check';
import { ITEMS } from '../../compiler/continuity/schema/limits.ts';
import { TEXT_LISTS } from '../../compiler/continuity/schema/state.ts';
import { ago, capsuleOf, type Json } from './capsules.ts';

/** Texts as agents write them: with white space around, repeated, in any script. */
const word = fc.oneof(
  fc.constantFrom('ship it', ' ship it', 'ask Ann ', 'Größe ändern', '設計を見直す', '🌱 grow', 'a"b\\c', '__proto__'),
  fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' }).filter((it) => it.trim() !== '' && it.isWellFormed()),
);

const listOf = (most: number) => fc.array(word, { maxLength: most });
const tag = fc.constantFrom('a', ' a', 'b', 'c ');

const decision = fc.record({ decision: tag, rationale: word });
const rationale = fc.record({
  tag,
  kind: fc.constantFrom('decision', 'assumption', 'tension'),
  status: fc.constantFrom('active', 'retired'),
  summary: word,
  reasoning: word,
});

/** Optional parts of a state, each there or not. */
const anyState: fc.Arbitrary<Json> = fc.record(
  {
    ...Object.fromEntries(TEXT_LISTS.map((name) => [name, listOf(ITEMS[name])])),
    stance_summary: word,
    negative_decisions: fc.array(decision, { maxLength: 4 }),
    rationale_entries: fc.array(rationale, { maxLength: 6 }),
    related_documents: fc.constantFrom([], [{ path: 'docs/a.md', kind: 'design', label: 'A' }]),
    relationship_model: fc.record({ preferred_style: listOf(5) }),
    retrieval_hints: fc.record({ avoid: listOf(8) }),
  },
  { requiredKeys: [] },
);

/** Optional parts of a thread's capsule, each there or not. */
const anyMore: fc.Arbitrary<Json> = fc.record(
  {
    canonical_sources: fc.constantFrom([], ['docs/a.md', 'docs/a.md', 'b.md']),
    metadata: fc.dictionary(fc.constantFrom('one', 'two'), fc.oneof(word, fc.integer(), fc.constant(null))),
    freshness: fc.record({ freshness_class: fc.constantFrom('durable', 'ephemeral') }),
    attention_policy: fc.record({ early_load: listOf(8) }),
    thread_descriptor: fc.record(
      {
        label: word,
        keywords: listOf(6),
        identity_anchors: fc.array(fc.record({ kind: tag, value: tag }), { maxLength: 4 }),
      },
      { requiredKeys: ['label'] },
    ),
  },
  { requiredKeys: [] },
);

/** Complete capsules of one thread, some seconds old. */
export const anyCapsule = (seconds: number) =>
  fc.tuple(anyMore, anyState).map(([more, state]) => capsuleOf({ ...more, updated_at: ago(seconds) }, state));
