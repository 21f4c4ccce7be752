import { describe, expect, test } from 'vitest';
import { leaveTriggersOut } from '../../../compiler/quality/coverage/left-out.ts';
import { createPlacer } from '../../../compiler/quality/placement.ts';
import { scoreUnits } from '../../../compiler/recall/rank/rank.ts';
import { quantise, type Encoder } from '../../../compiler/recall/signals/semantic.ts';
import type { Texts } from '../../bench/recall/units.ts';
import { encoder, grown, judgedOf, NOW, officeWith, UNITS } from '../garden.ts';

const QUESTION = 'somebody needs to bring a deleted database back';

/** The score of a unit of some units without one of its triggers, and its score in the index as it is. */
async function scores(units: readonly Texts[], name: string, intent: string, model: Encoder | null) {
  const garden = await grown(units, model);
  const judged = judgedOf(units);
  const unit = judged.find((it) => it.name === name)!;
  const [vector = null] = model ? await model.encode([QUESTION], 'query') : [];
  const query = garden.index.vectors && quantise(vector, garden.index.vectors.mean);
  const { graph } = createPlacer(garden, NOW).place(QUESTION, vector, name);
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
