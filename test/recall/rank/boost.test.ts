import { describe, expect, test } from 'vitest';
import { runProbes } from '../../../compiler/quality/probes.ts';
import { BOOST } from '../../../compiler/recall/rank/boost.ts';
import { readyGarden, type RecallGarden } from '../../../compiler/recall/recall-garden.ts';
import { recall } from '../../../compiler/recall/recall.ts';
import { SCALE } from '../../../compiler/recall/signals/lexical.ts';
import { RecallRequest } from '../../../compiler/schema/api/recall.ts';
import { NOW, plant } from '../garden.ts';

const OFFICE = [
  { name: 'deploy', intents: ['release the new version tonight'], content: '# Deploy\n\nRelease at night.\n' },
  { name: 'rollback', intents: ['undo a bad version'], content: '# Rollback\n\nUndo what was released.\n' },
  { name: 'holiday', intents: ['ask for days off'], content: '# Holiday\n\nTwo weeks ahead.\n' },
];

const garden = await plant(OFFICE);
const boosting = (...names: string[]): RecallGarden =>
  readyGarden(garden.index, garden.facts, garden.fallbacks, new Set(names));

const ask = (of: RecallGarden, intent: string) =>
  recall(of, RecallRequest.parse({ intent }), { now: NOW, query: null, explain: true });
const explained = (of: RecallGarden, intent: string, name: string) =>
  ask(of, intent).explain?.units.find((it) => it.name === name);

describe('§21.5.5 the boost of critical units', () => {
  test('the boost adds log(1 + λ) to the score, with λ = 0.15, in whole millionths', () => {
    expect(BOOST.millionths).toBe(Math.round(Math.log(1 + BOOST.lambda) * SCALE));
    const before = explained(garden, 'a version', 'rollback');
    const after = explained(boosting('rollback'), 'a version', 'rollback');
    expect(before?.lift).toBe(0);
    expect(after?.lift).toBe(BOOST.millionths / SCALE);
    expect(after?.score).toBeCloseTo((before?.score ?? 0) + BOOST.millionths / SCALE, 6);
  });

  test('the boost changes the order of chunks, and their scores', () => {
    expect(ask(garden, 'version').chunks[0]?.name).toBe('rollback');
    const { chunks } = ask(boosting('deploy'), 'version');
    expect(chunks[0]?.name).toBe('deploy');
    expect(chunks[0]?.score).toBe(explained(boosting('deploy'), 'version', 'deploy')?.score);
  });

  test('a unit that matches nothing gets no boost', () => {
    const { chunks, explain } = ask(boosting('holiday'), 'version');
    expect(chunks.map((it) => it.name)).not.toContain('holiday');
    expect(explain?.units.find((it) => it.name === 'holiday')).toMatchObject({ outcome: 'no_match', lift: 0 });
  });

  test('the boost does not prevent low_confidence', () => {
    const vague = { ...boosting('rollback'), index: { ...garden.index, low_confidence: SCALE } };
    expect(ask(vague, 'version').warnings).toEqual(['low_confidence']);
  });

  test('the boost does not change the results of probes', async () => {
    const probe = { intent: 'version', required: ['deploy', 'rollback'], forbidden: [] };
    const none = () => Promise.resolve(null);
    expect(await runProbes(boosting('rollback'), [probe], none, NOW)).toEqual(
      await runProbes(garden, [probe], none, NOW),
    );
  });
});
