import { describe, expect, test } from 'vitest';
import { counted, findCopies, markCopies, uncounted } from '../../compiler/quality/copied-probes.ts';
import type { Probe, ProbeResult } from '../../compiler/schema/source/probe.ts';
import { encoder, grown, officeWith } from './garden.ts';

const probe = (intent: string, ...required: string[]): Probe => ({ intent, required, forbidden: [] });
const resultOf = ({ intent, required }: Probe): ProbeResult => ({
  intent,
  required: required.map((name) => ({ name, rank: 1 })),
  forbidden: [],
});

describe('texts that nearly copy a probe', () => {
  const texts: Record<string, string[]> = {
    refunds: ['give a customer the money back', 'a double charge'],
    travel: ['the customer gets money back', 'what is it for'],
  };
  const copies = (...probes: Probe[]) => findCopies(probes, (unit) => texts[unit] ?? []);

  test('are named with every probe that they copy', () => {
    expect(
      copies(
        probe('the customer is given money back', 'refunds'),
        probe('paint the wall', 'refunds'),
        probe('give money back to customers', 'refunds'),
      ),
    ).toEqual([{ unit: 'refunds', text: 'give a customer the money back', probes: [0, 2] }]);
  });

  test('are those of a unit that the probe requires: a rival takes no probe out of the figures', () => {
    expect(copies(probe('the customer gets money back', 'hiring'))).toEqual([]);
    expect(copies(probe('the customer gets money back', 'hiring', 'travel')).map(({ unit }) => unit)).toEqual([
      'travel',
    ]);
  });

  test('are the same words too where none carries meaning', () => {
    expect(copies(probe('what is it for', 'travel'))).toMatchObject([{ text: 'what is it for' }]);
  });

  test('of a probe that names a unit twice are told once', () => {
    expect(copies(probe('what is it for', 'travel', 'travel'))).toMatchObject([{ probes: [0] }]);
  });
});

describe('the probes of a garden', () => {
  test('that a trigger nearly copies do not count, and keep their ranks', async () => {
    const garden = await grown(officeWith({ travel: { intents: ['the airline cancelled my flight'] } }), encoder);
    const probes = [probe('my flight was cancelled by the airline', 'travel'), probe('a wall needs paint', 'travel')];
    const marked = markCopies(garden, probes, probes.map(resultOf), () => []);
    expect(counted(marked).map(({ intent }) => intent)).toEqual(['a wall needs paint']);
    expect(uncounted(marked)).toEqual([
      {
        ...resultOf(probes[0]!),
        copied_by: { unit: 'travel', text: 'the airline cancelled my flight' },
      },
    ]);
  });

  test('that a phrase nearly copies do not count either', async () => {
    const garden = await grown(officeWith({ travel: { intents: ['book a train'] } }), encoder);
    const probes = [probe('my flight was cancelled by the airline', 'travel')];
    const phrasesOf = (unit: string) => (unit === 'travel' ? ['the airline cancelled my flight'] : []);
    const marked = markCopies(garden, probes, probes.map(resultOf), phrasesOf);
    expect(uncounted(marked)).toMatchObject([
      { copied_by: { unit: 'travel', text: 'the airline cancelled my flight' } },
    ]);
  });
});
