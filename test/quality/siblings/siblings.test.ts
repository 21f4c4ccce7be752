import { describe, expect, test } from 'vitest';
import { readLexicon } from '../../../compiler/io/models/lexicon.ts';
import { createParaphraser } from '../../../compiler/quality/paraphrase/paraphrase.ts';
import { siblingsOf } from '../../../compiler/quality/siblings/siblings.ts';
import { intentsByUnit } from '../../../compiler/quality/siblings/unit-intents.ts';
import { readyGarden, type RecallGarden } from '../../../compiler/recall/recall-garden.ts';
import { MAX_RIVALS, SiblingReport } from '../../../compiler/schema/report/siblings.ts';
import { NOW, PAST, plant as plantBare, type Planted } from '../../recall/garden.ts';

/** With its triggers in its facts too, as a compiled garden has them. */
async function plant(units: readonly Planted[]): Promise<RecallGarden> {
  const garden = await plantBare(units);
  const facts = garden.facts.map((fact) => {
    const { intents = [], keywords = [] } = units.find(({ name }) => name === fact.name) ?? {};
    const load_triggers = { intents: [...intents], keywords: [...keywords], task_types: [] };
    return { ...fact, delivery: { ...fact.delivery, load_triggers } };
  });
  return { ...garden, facts };
}

const none = () => Promise.resolve(null);

const OFFICE: Planted[] = [
  {
    name: 'deploy',
    intents: ['release the new version tonight'],
    keywords: ['deploy'],
    content: 'Release at night.\n',
  },
  { name: 'rollback', intents: ['undo a bad version'], content: 'Undo what was released.\n' },
  { name: 'holiday', intents: ['ask for days off'], content: 'Two weeks ahead.\n' },
];

const siblings = async (units: readonly Planted[], asked: Record<string, string[]>) => {
  const garden = await plant(units);
  const list = Object.entries(asked).map(([unit, intents]) => ({ unit, intents }));
  return SiblingReport.parse(await siblingsOf(garden, list, none, NOW));
};

describe('issue 7: units that compete', () => {
  test('a rivalry lists the contested intents, and the ranks of both units', async () => {
    const intent = 'undo the bad new version';
    const { units, rivalries } = await siblings(OFFICE, { deploy: [intent, 'release tonight'], holiday: ['days off'] });
    expect(units).toEqual([
      { name: 'deploy', asked: 2, first: 1, more_rivals: 0 },
      { name: 'holiday', asked: 1, first: 1, more_rivals: 0 },
    ]);
    expect(rivalries).toMatchObject([
      {
        unit: 'deploy',
        rival: 'rollback',
        outranks: 1,
        steals: 0.5,
        contested: [{ intent, own_rank: 2, rival_rank: 1 }],
      },
    ]);
  });

  test('a rivalry lists the words of both units, and the words that favour the rival', async () => {
    const { rivalries } = await siblings(OFFICE, { deploy: ['undo the bad new version'] });
    expect(rivalries[0]).toMatchObject({ shared_words: ['version'], remedy: 'reword' });
    expect(rivalries[0]?.drawn_by.slice().sort()).toEqual(['bad', 'undo', 'version']);
  });

  test('rivalries are sorted by the share of intents that the rival takes', async () => {
    const { rivalries } = await siblings(OFFICE, {
      deploy: ['undo a bad version', 'release tonight'],
      holiday: ['undo the bad version'],
    });
    expect(rivalries.map((it) => [it.unit, it.rival, it.steals])).toEqual([
      ['holiday', 'deploy', 1],
      ['holiday', 'rollback', 1],
      ['deploy', 'rollback', 0.5],
    ]);
  });

  test('a rival that is close behind a unit is reported as close', async () => {
    const twins = [
      { name: 'one', intents: ['choose a colour'], content: 'Paint.\n' },
      { name: 'two', intents: ['choose the colour'], content: 'Paint.\n' },
    ];
    const { rivalries } = await siblings(twins, { one: ['colour'] });
    expect(rivalries.find((it) => it.unit === 'one')).toMatchObject({ outranks: 0, close: 1, remedy: 'same_trigger' });
  });

  test('the remedy is merge for two units that take most of each other’s intents', async () => {
    const { rivalries } = await siblings(OFFICE, {
      deploy: ['undo a bad version'],
      rollback: ['release the new version tonight'],
    });
    expect(rivalries.map((it) => it.remedy)).toEqual(['merge', 'merge']);
  });

  test('two units compete for a trigger that both have, but not for an intent that both should answer', async () => {
    const both = 'undo a bad version, then release the new version tonight';
    const { units, rivalries } = await siblings(OFFICE, { deploy: [both], rollback: [both] });
    expect(rivalries).toEqual([]);
    expect(units.map((it) => it.first)).toEqual([1, 1]);
    const twins = ['one', 'two'].map((name) => ({ name, intents: ['choose a colour'] }));
    const twice = await siblings(twins, { one: ['choose a colour'], two: ['choose a colour'] });
    expect(twice.rivalries.map((it) => it.remedy)).toEqual(['same_trigger', 'same_trigger']);
  });

  test('expired, withdrawn and unknown units neither compete nor are reported', async () => {
    const old = OFFICE.map((it) => (it.name === 'rollback' ? { ...it, validUntil: PAST } : it));
    const asked = { deploy: ['undo a bad version'], rollback: ['undo a bad version'], ghost: ['anything'] };
    const { units, rivalries } = await siblings(old, asked);
    expect([units.map((it) => it.name), rivalries]).toEqual([['deploy'], []]);
    const garden = await plant(OFFICE);
    const out = { ...garden, withdrawn: new Set([garden.index.names.indexOf('rollback')]) };
    const list = [{ unit: 'deploy', intents: ['undo a bad version'] }];
    expect((await siblingsOf(out, list, none, NOW)).rivalries).toEqual([]);
  });

  test('§21.5.5 rivalries use ranks without boost', async () => {
    const garden = await plant(OFFICE);
    const boosted = readyGarden(garden.index, garden.facts, garden.fallbacks, new Set(['holiday', 'rollback']));
    const asked = intentsByUnit(garden, { probes: [], phrases: [] }, createParaphraser(readLexicon().lexicon));
    expect(await siblingsOf(boosted, asked, none, NOW)).toEqual(await siblingsOf(garden, asked, none, NOW));
  });

  test('rivals beyond the limit are counted', async () => {
    const many = Array.from({ length: MAX_RIVALS + 15 }, (_, i) => ({
      name: `unit-${String(i).padStart(2, '0')}`,
      intents: [`situation number${i}`],
    }));
    const intents = many.map((_, i) => `situation number${i}`);
    const { units, rivalries } = await siblings(many, { 'unit-34': intents });
    const listed = rivalries.filter((it) => it.unit === 'unit-34').length;
    expect([listed, (units[0]?.more_rivals ?? 0) > 0]).toEqual([MAX_RIVALS, true]);
  });
});

describe('what units are asked for', () => {
  test('the intents of a unit are its triggers, their paraphrases, its phrases, and the probes that require it', async () => {
    const garden = await plant([...OFFICE, { name: 'bare', description: 'Water the plants in summer' }]);
    const probe = { intent: 'get me some free days', required: ['holiday'], forbidden: [] };
    const phrases = [{ name: 'holiday', phrases: ['my desk can wait', probe.intent] }];
    const plain = new Map(intentsByUnit(garden, { probes: [probe], phrases }, null).map((it) => [it.unit, it.intents]));
    expect(plain.get('holiday')).toEqual(['ask for days off', 'my desk can wait', probe.intent]);
    expect(plain.get('bare')).toEqual(['Water the plants in summer']);
    const full = intentsByUnit(garden, { probes: [probe], phrases: [] }, createParaphraser(readLexicon().lexicon)).find(
      (it) => it.unit === 'holiday',
    );
    expect(full?.intents.length).toBe(2 + 5);
  });
});
