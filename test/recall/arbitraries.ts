import fc from 'fast-check';
import { FUTURE, NOW, PAST, type Planted } from './garden.ts';

const WORDS = ['deploy', 'release', 'review', 'leave', 'budget', 'incident', 'customer', 'refund', 'secret', 'plan'];

export const phrase = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 5 }).map((it) => it.join(' '));

const planted: fc.Arbitrary<Planted> = fc.record({
  name: fc.stringMatching(/^[a-c][a-c0-9-]{0,5}$/),
  description: phrase,
  intents: fc.array(phrase, { maxLength: 3 }),
  content: fc.oneof({ weight: 5, arbitrary: phrase }, { weight: 1, arbitrary: fc.constant('') }),
  tokens: fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 3000 })),
  guaranteed: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  prepend: fc.boolean(),
  validUntil: fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, fc.constantFrom(PAST, NOW, FUTURE)),
  fallback: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: phrase }),
});

/** Gardens of up to fourteen units, tied to each other at random. */
export const garden = fc
  .uniqueArray(planted, { minLength: 1, maxLength: 14, selector: (it) => it.name })
  .chain((units) => {
    const names = units.map((it) => it.name);
    return fc
      .array(
        fc.subarray(names).map((it) => it.slice(0, 3)),
        { minLength: units.length, maxLength: units.length },
      )
      .map((links) => units.map((unit, i) => ({ ...unit, links: links[i] ?? [] })));
  });

/** A garden with a request for it; hints name units of it, and one that it does not have. */
export const question = garden.chain((units) =>
  fc.record({
    units: fc.constant(units),
    intent: fc.oneof(phrase, fc.constantFrom(...units.map((it) => `please load unit:${it.name}`)), fc.constant('zzz')),
    limits: fc.record({
      max_chunks: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 50 })),
      token_budget: fc.oneof(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 100_000 })),
      manifest_hint: fc.shuffledSubarray([...units.map((it) => it.name), 'nowhere']),
    }),
  }),
);
