import { describe, expect, test } from 'vitest';
import { factsLeft, withoutWithdrawn } from '../../compiler/recall/recall-garden.ts';
import { recall } from '../../compiler/recall/recall.ts';
import { RecallRequest } from '../../compiler/schema/api/recall.ts';
import { sha256 } from '../../compiler/trust/canonical.ts';
import { ask, FUTURE, NOW, PAST, plant, type Planted } from './garden.ts';

const OFFICE: readonly Planted[] = [
  { name: 'alarm', content: 'fire fire\n', tokens: 30 },
  { name: 'backup', content: 'fire disk\n', tokens: 20, links: ['zoo'] },
  { name: 'crew', content: 'fire people at the door\n', tokens: 15 },
  { name: 'gone', content: 'fire\n', validUntil: PAST },
  { name: 'limits', content: 'never\n', tokens: 5, guaranteed: true },
  { name: 'old', content: '', fallback: 'As of old.\n', tokens: 7, version: 3 },
  { name: 'soon', content: 'ends\n', validUntil: FUTURE, version: 2 },
  { name: 'void', content: '' },
  { name: 'zoo', content: 'bears\n' },
];
const digests = (...texts: string[]) => texts.map((it) => sha256(it));

describe('§21.3.3 an answer', () => {
  test('an answer has the text and metadata of each chunk, and the units that were left out', async () => {
    const garden = await plant(OFFICE);
    const hints = ['old', 'soon', 'nobody', 'gone'];
    const answer = ask(garden, 'fire', { manifest_hint: hints, max_chunks: 4, token_budget: 60 });
    const [alarm = 0] = [answer.unit('alarm')?.score];
    const chunk = (name: string, over: object) => ({
      name,
      fact_uri: `instruction:acme/agent/cto/${name}/v1`,
      valid_until: null,
      version: 'v1',
      score: 0,
      source: 'stigmem',
      ...over,
    });
    expect(answer).toMatchObject({
      chunks: [
        chunk('old', {
          fact_uri: 'instruction:acme/agent/cto/old/v3',
          content: 'As of old.\n',
          tokens: 7,
          version: 'v3',
          source: 'fallback_path',
        }),
        chunk('soon', {
          fact_uri: 'instruction:acme/agent/cto/soon/v2',
          content: 'ends\n',
          tokens: 10,
          valid_until: FUTURE,
          version: 'v2',
        }),
        chunk('alarm', { content: 'fire fire\n', tokens: 30, score: alarm }),
        chunk('limits', { content: 'never\n', tokens: 5 }),
      ],
      total_tokens: 52,
      truncated: true,
      missed_hints: ['nobody', 'gone'],
      warnings: [],
      left_out: [
        { name: 'backup', outcome: 'over_token_budget' },
        { name: 'crew', outcome: 'over_token_budget' },
        { name: 'gone', outcome: 'expired' },
        { name: 'void', outcome: 'unavailable' },
        { name: 'zoo', outcome: 'over_max_chunks' },
      ],
      content_digests: digests('As of old.\n', 'ends\n', 'fire fire\n', 'never\n'),
    });
    expect(alarm).toBeGreaterThan(0);
  });

  test('an explanation has the outcome, rank, place, scores and tokens of every unit', async () => {
    const garden = await plant(OFFICE);
    const { explain } = ask(garden, 'fire', { manifest_hint: ['zoo'], max_chunks: 2, token_budget: 100 });
    expect(explain).toMatchObject({
      now: NOW,
      search: 'exhaustive',
      measured_recall: null,
      weights: { lexical: 0.7, graph: 0.3 },
      ranked_budget: 85,
    });
    const rows = explain!.units.map((it) => [it.name, it.outcome, it.rank, it.place, it.tokens]);
    expect(rows).toEqual([
      ['alarm', 'ranked', 1, 2, 30],
      ['backup', 'over_max_chunks', 2, null, 20],
      ['crew', 'over_max_chunks', 3, null, 15],
      ['gone', 'expired', null, null, 10],
      ['limits', 'guaranteed', null, 3, 5],
      ['old', 'no_match', null, null, 7],
      ['soon', 'no_match', null, null, 10],
      ['void', 'unavailable', null, null, 0],
      ['zoo', 'hint', 4, 1, 10],
    ]);
    const [alarm, backup] = explain!.units as [
      (typeof explain & {})['units'][number],
      (typeof explain & {})['units'][number],
    ];
    expect(alarm).toMatchObject({ fact_uri: 'instruction:acme/agent/cto/alarm/v1', semantic: null, lift: 0, graph: 0 });
    expect(alarm.score).toBeCloseTo(0.7 * alarm.lexical, 5);
    expect(explain!.units[8]!.graph).toBeCloseTo(backup.lexical / 2, 5);
    expect(explain!.units.map((it) => it.exact_name)).toEqual(Array(9).fill(false));
    expect(ask(garden, 'the `zoo`').unit('zoo')).toMatchObject({ exact_name: true, rank: 1 });
  });

  test('an answer has no explanation unless it is requested', async () => {
    const request = RecallRequest.parse({ intent: 'fire' });
    const answer = recall(await plant(OFFICE), request, { now: NOW, query: null, explain: false });
    expect(answer).not.toHaveProperty('explain');
  });

  test('units over max_chunks are listed in left_out up to the fiftieth rank', async () => {
    const many = Array.from({ length: 70 }, (_, at) => ({ name: `u${at + 10}`, content: 'fire\n' }));
    const { left_out } = ask(await plant(many), 'fire', { max_chunks: 3 });
    expect(left_out).toHaveLength(47);
    expect([left_out[0], left_out.at(-1)]).toEqual([
      { name: 'u13', outcome: 'over_max_chunks' },
      { name: 'u59', outcome: 'over_max_chunks' },
    ]);
  });

  test('an answer has low_confidence below the threshold of the index, unless a name is exact', async () => {
    const plain = await plant([...OFFICE, { name: 'fire-drill', content: 'x\n' }]);
    const best = Math.max(...ask(plain, 'fire').units.map((it) => it.score)) * 1e6;
    const warned = (low_confidence: number, intent = 'fire') =>
      ask({ ...plain, index: { ...plain.index, low_confidence } }, intent).warnings;
    expect(warned(Math.round(best))).toEqual([]);
    expect(warned(Math.round(best) + 1)).toEqual(['low_confidence']);
    expect(warned(1e9, 'see fire-drill')).toEqual([]);
    expect(warned(0, 'nothing')).toEqual(['low_confidence']);
  });

  test('an answer has low_confidence if the encoder knows nothing of the intent, unless a name is exact', async () => {
    const encoder = {
      dims: 1,
      encode: (texts: readonly string[]) => Promise.resolve(texts.map(() => Float32Array.of(1))),
    };
    const units = [...OFFICE, { name: 'fire-drill', content: 'x\n' }];
    const [blind, plain] = [await plant(units, encoder), await plant(units)];
    // `ask` gives no vector for the intent
    const warned = (garden: typeof plain, intent: string) => ask(garden, intent).warnings;
    expect(warned(blind, 'fire')).toEqual(['low_confidence']);
    expect(warned(blind, 'fire-drill')).toEqual([]);
    expect(warned(blind, 'unit:alarm')).toEqual([]);
    expect(warned(plain, 'fire')).toEqual([]);
  });

  test('a withdrawn unit and its legacy file are not recalled, and left_out names the unit', async () => {
    const planted = [...OFFICE, { name: 'both', content: 'fire\n', fallback: 'fire of old\n', guaranteed: true }];
    const garden = withoutWithdrawn(await plant(planted), ({ name }) => ['both', 'alarm'].includes(name));
    const { names, left_out, outcome } = ask(garden, 'fire', { manifest_hint: ['both'] });
    expect(names).not.toContain('alarm');
    expect(names).not.toContain('both');
    expect(left_out).toEqual(expect.arrayContaining([{ name: 'both', outcome: 'withdrawn' }]));
    expect(outcome('alarm')).toBe('withdrawn');
  });
});

describe('what a garden keeps of a fact', () => {
  test('is left without the withdrawn facts, expired ones included', async () => {
    const garden = withoutWithdrawn(await plant(OFFICE), ({ name }) => name === 'alarm');
    expect(factsLeft(garden).map((it) => it.name)).toEqual(OFFICE.slice(1).map((it) => it.name));
  });
});
