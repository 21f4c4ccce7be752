import { describe, expect, test } from 'vitest';
import { cachedEncoder, previewOf } from '../../../compiler/app/suggest/preview.ts';
import { findHelpfulWords } from '../../../compiler/quality/suggest/findable.ts';
import type { RewordOptions } from '../../../compiler/quality/suggest/reword.ts';
import { HardToFind } from '../../../compiler/schema/report/suggestion.ts';
import type { Probe } from '../../../compiler/schema/source/probe.ts';
import { Delivery, type Unit } from '../../../compiler/schema/source/unit.ts';
import { encoder, NOW, officeWith } from '../garden.ts';

const inputs = { deployment: 'acme', folder: 'instructions', encoder: cachedEncoder(encoder), countTokens: () => 50 };
const options: RewordOptions = { k: 3, now: NOW, others: [], isShared: () => false };

/** The units of the office, some of them changed, before they are compiled. */
const office = (changes: Parameters<typeof officeWith>[0], probes: Probe[] = []) => {
  const units = officeWith(changes).map(({ name, description, intents, content }): Unit => ({
    ...{ name, content, garden: 'office', file: `instructions/agents/office/${name}.md` },
    delivery: Delivery.parse({ description, load_triggers: { intents } }),
    headings: [name],
    links: [],
    unclosed: [],
    at: () => ({ line: 1, column: 1 }),
  }));
  return previewOf(units, inputs, probes, NOW);
};

/** Its text says nothing of what its triggers are about. */
const VAGUE = {
  newsletter: {
    description: 'What we do each time',
    content: 'Three pieces, one picture each. Tuesday at ten.\n',
    intents: ['send the monthly circular', 'a production alert mails all customers', 'refund a charge by mail'],
  },
};

describe('words that make a unit findable', () => {
  test('words of its triggers that its text lacks raise the findability of a unit, and its rivals are named', async () => {
    const [found, ...others] = await findHelpfulWords(office(VAGUE), null, options);
    expect(others).toEqual([]);
    const { unit, findability_before, findability_after, description, rivals } = HardToFind.parse(found);
    expect(unit).toBe('newsletter');
    expect(findability_before).toBeLessThan(0.6);
    expect(findability_after).toBeGreaterThan(findability_before + 0.02);
    expect(description.length).toBeGreaterThan(0);
    expect(rivals).toHaveLength(3);
  });

  test('a garden of findable units, and another unit than the one that is asked for, get nothing', async () => {
    expect(await findHelpfulWords(office({}), null, options)).toEqual([]);
    expect(await findHelpfulWords(office(VAGUE), 'leave', options)).toEqual([]);
  });

  test('a unit with the triggers of a sibling has the sibling as its nearest rival, and is never made worse', async () => {
    const intents = officeWith().find(({ name }) => name === 'travel')?.intents ?? [];
    const [found] = await findHelpfulWords(office({ leave: { intents } }), 'leave', options);
    expect(found?.rivals[0]?.name).toBe('travel');
    expect(found?.findability_after).toBeGreaterThanOrEqual(found?.findability_before ?? 1);
  });
});
