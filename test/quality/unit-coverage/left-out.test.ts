import { describe, expect, test } from 'vitest';
import { createPlacer } from '../../../compiler/quality/placement.ts';
import { leaveTriggersOut } from '../../../compiler/quality/unit-coverage/left-out.ts';
import { headingsIn } from '../../../compiler/quality/unit-coverage/texts.ts';
import { scoreUnits } from '../../../compiler/recall/rank/rank.ts';
import { words } from '../../../compiler/recall/signals/lexical.ts';
import { quantise, type Encoder } from '../../../compiler/recall/signals/semantic.ts';
import { sha256 } from '../../../compiler/trust/canonical.ts';
import { indexOf, type Texts } from '../../bench/recall/units.ts';
import { indexed, plant, type Planted } from '../../recall/garden.ts';
import { encoder, grown, judgedOf, NOW, officeWith, UNITS } from '../garden.ts';

const QUESTION = 'somebody needs to bring a deleted database back';

/** The score of a unit of some units without one of its triggers, and its score in the index as it is. */
async function scores(units: readonly Texts[], name: string, intent: string, model: Encoder | null) {
  const garden = await grown(units, model);
  const judged = judgedOf(units);
  const unit = judged.find((it) => it.name === name)!;
  const [vector = null] = model ? await model.encode([QUESTION], 'query') : [];
  const query = garden.index.vectors && quantise(vector, garden.index.vectors.mean);
  const { graph } = createPlacer(garden, NOW).place(QUESTION, query, name);
  const leftOut = (await leaveTriggersOut(garden, judged, model))(unit, intent, { text: QUESTION, query, graph });
  return { leftOut, indexed: scoreUnits(garden.index, QUESTION, query).total[garden.index.named.get(name)!]! };
}

describe('a unit without one of its triggers', () => {
  const backups = UNITS.find(({ name }) => name === 'backups')!;
  const trigger = 'restore a deleted database';

  test.each([
    ['with', encoder],
    ['without', null],
  ])('scores less for what the trigger says, %s a model', async (_, model) => {
    const { leftOut, indexed } = await scores(UNITS, 'backups', trigger, model);
    expect(leftOut).toBeLessThan(0.9 * indexed);
    expect(leftOut).toBeGreaterThan(0);
  });

  test('scores as in the index where nothing is left out', async () => {
    const { leftOut, indexed } = await scores(UNITS, 'backups', 'no trigger of it', null);
    expect(Math.abs(leftOut - indexed)).toBeLessThan(20);
  });

  test('keeps the windows of its content', async () => {
    const filler = 'Nothing of it is here. '.repeat(60).slice(0, 1_200);
    const scoresWith = (content: string) =>
      scores(officeWith({ travel: { content } }), 'travel', 'find a hotel near the office', encoder);
    const { leftOut, indexed } = await scoresWith(filler + QUESTION);
    expect(leftOut).toBeGreaterThan(0.95 * indexed);
    expect((await scoresWith(filler)).leftOut).toBeLessThan(0.3 * leftOut);
  });

  test('scores nearly as in an index that was made without the trigger', async () => {
    const intents = backups.intents.filter((it) => it !== trigger);
    // other units' words weigh a little more or less there, so the scores differ a little
    const [here, there] = [
      await scores(UNITS, 'backups', trigger, null),
      await scores(officeWith({ backups: { intents } }), 'backups', 'no trigger of it', null),
    ];
    expect(Math.abs(here.leftOut - there.indexed)).toBeLessThan(0.25 * there.indexed);
  });

  test('lacks near copies of it too', async () => {
    const copied = officeWith({ backups: { intents: [...backups.intents, 'restore the deleted databases'] } });
    const [once, twice] = [
      await scores(UNITS, 'backups', trigger, encoder),
      await scores(copied, 'backups', trigger, encoder),
    ];
    expect(twice.indexed).toBeGreaterThan(0.98 * once.indexed);
    expect(twice.leftOut).toBeLessThan(1.1 * once.leftOut);
  });
});

describe('the meaning of a unit without one of its triggers', () => {
  const DIMS = 16;
  /** A text's vector is its number of words of each kind, so that whatever is left out of a text changes it. */
  const kinds: Encoder = {
    dims: DIMS,
    encode: (texts, role) =>
      Promise.resolve(
        texts.map((text) => (role !== 'passage' || /^nameless$|unsayable/.test(text) ? null : kindsIn(text))),
      ),
  };
  function kindsIn(text: string): Float32Array {
    const vector = new Float32Array(DIMS);
    for (const word of words(text)) vector[parseInt(sha256(word).slice(0, 4), 16) % DIMS]! += 1;
    return vector;
  }
  const [left, copy, kept] = ['restore a deleted database', 'a deleted database, restore', 'somebody overwrote this'];
  const backups: Planted = { name: 'backups', description: 'Disks', content: '# Copies\n\nKept 35 days.\n' };
  const triggers = { intents: [left, kept, 'nameless', copy], keywords: ['zip'] };

  async function gardenWith(own: Partial<Planted>) {
    const units = [{ name: 'a', description: 'First', intents: ['first'] }, { ...backups, ...own }, { name: 'c' }];
    const { facts, ...garden } = await plant(units);
    const index = await indexOf(
      units.map((it: Planted) => ({ ...indexed(it), headings: headingsIn(it.content ?? '') })),
      kinds,
    );
    const triggered = facts.map((fact, at) => {
      const { intents = [], keywords = [] }: Partial<Planted> = units[at] ?? {};
      const load_triggers = { ...fact.delivery.load_triggers, intents: [...intents], keywords: [...keywords] };
      return { ...fact, delivery: { ...fact.delivery, load_triggers } };
    });
    return { ...garden, index, facts: triggered };
  }

  const unit = { name: 'backups', intents: triggers.intents, description: backups.description! };
  /** A question of no known word, so that its vector alone decides. */
  const asking = (said: string) => ({ text: 'unheard', query: quantise(kindsIn(said), []), graph: 0 });

  test.each([
    ['restore copies', {}],
    ['deleted disks', {}],
    ['overwrote', {}],
    ['zip', {}],
    ['disks', {}],
    ['copies', {}],
    ['overwrote', { content: 'unsayable\n' }],
    ['disks', { content: 'unsayable\n' }],
  ])('is exactly that of an index without it and its near copies, for %j of a unit with %j', async (said, own) => {
    const [with_, without] = [
      await gardenWith({ ...triggers, ...own }),
      await gardenWith({ ...triggers, ...own, intents: [kept, 'nameless'] }),
    ];
    const score = await leaveTriggersOut(with_, [unit], kinds);
    const question = asking(said);
    const expected = scoreUnits(without.index, question.text, question.query).total[1];
    expect(expected).toBeGreaterThan(0);
    expect(score(unit, left, question)).toBe(expected);
    expect(score(unit, copy, question)).toBe(expected);
  });

  test('is less where the trigger said it', async () => {
    const garden = await gardenWith(triggers);
    const { text, query, graph } = asking('restore');
    const score = await leaveTriggersOut(garden, [unit], kinds);
    expect(score(unit, left, { text, query, graph })).toBeLessThan(scoreUnits(garden.index, text, query).total[1]!);
  });

  test('is more where a phrase says it, but not where the phrase nearly copies the trigger', async () => {
    const scoreOf = async (question: string, ...phrases: string[]) => {
      const garden = await gardenWith({ ...triggers, phrases });
      const judged = { ...unit, phrases };
      return (await leaveTriggersOut(garden, [judged], kinds))(judged, left, asking(question));
    };
    const other = 'undo the wipe';
    expect(await scoreOf(other, other)).toBeGreaterThan(await scoreOf(other));
    expect(await scoreOf(left, 'restore a database, deleted')).toBeLessThanOrEqual(await scoreOf(left));
  });

  test('counts nothing where the index or the compile has no vectors', async () => {
    const garden = await gardenWith(triggers);
    const wordless = { ...garden, index: { ...garden.index, vectors: null } };
    for (const [of, encoder] of [[garden, null] as const, [wordless, kinds] as const]) {
      expect((await leaveTriggersOut(of, [unit], encoder))(unit, left, asking('disks'))).toBe(0);
    }
  });

  test('adds to its words and its links, and is nothing for a unit that was not asked for', async () => {
    const garden = await gardenWith(triggers);
    const score = await leaveTriggersOut(garden, [unit], kinds);
    const wordless = { ...asking(''), query: null };
    expect(score(unit, left, wordless)).toBe(0);
    expect(score(unit, left, { ...wordless, graph: 1_000_000 })).toBe(150_000);
    expect(score(unit, 'no trigger of it', asking('disks'))).toBe(0);
    expect(score({ ...unit, name: 'x' }, left, asking('disks'))).toBe(0);
  });
});
