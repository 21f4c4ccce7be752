import { describe, expect, test } from 'vitest';
import { findCaptures } from '../../compiler/quality/captures.ts';
import { withoutPhrases } from '../../compiler/recall/index/without-phrases.ts';
import type { Encoder } from '../../compiler/recall/signals/semantic.ts';
import type { Probe } from '../../compiler/schema/source/probe.ts';
import { indexed, NOW, PAST, plant, type Planted } from '../recall/garden.ts';
import { encoder } from './garden.ts';

const OFFICE: readonly Planted[] = [
  { name: 'backups', description: 'Restore what was deleted', intents: ['restore a deleted database'] },
  { name: 'hiring', description: 'Find new engineers', intents: ['hire an engineer'] },
  { name: 'refunds', description: 'Give money back', intents: ['a customer wants the money back'] },
  { name: 'travel', description: 'Book trains and hotels', intents: ['book a train'] },
  // words are rare only among many units
  ...Array.from({ length: 36 }, (_, at) => ({ name: `unit-${at + 10}`, description: `Paragraph ${at}` })),
];

/** The office, where some units have phrases, and the same without them. */
async function gardens(
  phrases: Readonly<Record<string, readonly string[]>>,
  model: Encoder | null,
  over: Partial<Planted> = {},
) {
  const units = OFFICE.map((it) => ({ ...it, phrases: phrases[it.name] ?? [], ...(it.name === 'refunds' && over) }));
  const { facts, ...garden } = await plant(units, model);
  const triggered = facts.map((fact, i) => {
    const load_triggers = { ...fact.delivery.load_triggers, intents: [...(units[i]?.intents ?? [])] };
    return { ...fact, delivery: { ...fact.delivery, load_triggers } };
  });
  const phrased = { ...garden, facts: triggered };
  return { phrased, plain: { ...phrased, index: withoutPhrases(phrased.index, units.map(indexed)) } };
}

async function captures(
  phrases: Readonly<Record<string, readonly string[]>>,
  {
    probes = [],
    model = encoder,
    over = {},
  }: { probes?: Probe[]; model?: Encoder | null; over?: Partial<Planted> } = {},
) {
  const both = await gardens(phrases, model, over);
  const found = await findCaptures(both, { phrases: new Map(Object.entries(phrases)), probes }, model, NOW);
  return found.map(({ unit, phrase, rival, by }) => [by, unit, phrase, rival]);
}

const MONEY = 'a customer wants the money back for a kettle';

describe.each([
  ['with vectors', encoder],
  ['without vectors', null],
])('captures %s', (_, model) => {
  test('a phrase that another unit answers clearly better is a capture', async () => {
    expect(await captures({ hiring: [MONEY] }, { model })).toContainEqual(['answer', 'hiring', MONEY, 'refunds']);
    expect(await captures({ refunds: [MONEY] }, { model })).toEqual([]);
  });

  test('a phrase that no unit answers is none', async () => {
    expect(await captures({ hiring: ['zyzzyva quux'] }, { model })).toEqual([]);
  });

  test('a phrase that takes the first place for a probe is a capture of a unit that the probe requires', async () => {
    const intent = 'she asks for her euros back for the kettle';
    const probes = [{ intent, required: ['refunds'], forbidden: [] }];
    const phrases = { travel: ['other', intent] };
    expect(await captures(phrases, { model, probes })).toContainEqual(['probe', 'travel', intent, 'refunds']);
    const both = [{ intent, required: ['refunds', 'travel'], forbidden: [] }];
    expect((await captures(phrases, { model, probes: both })).filter(([by]) => by === 'probe')).toEqual([]);
  });

  test('a unit that is not in force neither captures nor is captured', async () => {
    const over = { validUntil: PAST };
    expect(await captures({ hiring: [MONEY] }, { model, over })).toEqual([]);
    expect(await captures({ refunds: ['book a train for me'] }, { model, over })).toEqual([]);
  });
});

describe('captures of one unit together', () => {
  test('the leads of phrases over the same unit add up: four small ones are captures, three are none', async () => {
    const four = ['alpha bravo', 'charlie delta', 'echo foxtrot', 'golf hotel'].map((it) => `money ${it}`);
    expect(await captures({ hiring: four.slice(0, 3) }, { model: null })).toEqual([]);
    expect(await captures({ hiring: four }, { model: null })).toEqual(
      four.map((it) => ['answer', 'hiring', it, 'refunds']),
    );
  });

  test('a capture says both scores', async () => {
    const [capture] = await findCaptures(
      await gardens({ hiring: [MONEY] }, null),
      { phrases: new Map([['hiring', [MONEY]]]), probes: [] },
      null,
      NOW,
    );
    expect(capture?.scores.rival).toBeGreaterThan(200_000);
    expect(capture?.scores.unit).toBe(0);
  });
});
