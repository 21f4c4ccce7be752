import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { HEARTBEAT, HEARTBEAT_BYTES, HEARTBEAT_DIGEST } from '../../../../compiler/schema/audit/sums.ts';
import { daysOf, sumsOf, windowAround, type SumsRow } from '../../../../server/audit/records/sums-rows.ts';

/** Figures in the order of their columns, from 1 on, times a factor. */
const figures = (factor: number) => Array.from({ length: 11 }, (_, i) => factor * (i + 1));

/** Sums of an agent without any row. */
const EMPTY = {
  ...{ rows: 0, recalls: 0, aborted: 0, unclosed: 0, silent: 0, unused: 0, events: 0, used: 0, missed: 0 },
  ...{
    used_of_finds: 0,
    found_first: 0,
    found_by_choice: 0,
    not_found: 0,
    unnamed: 0,
    tokens: 0,
    by_others: 0,
    more_missed: 0,
  },
  ...{ ranks: [], missed_names: [], units: [], heartbeats: new Uint8Array() },
};

/** The bytes of one heartbeat. */
function heartbeat(id: string, flags: number, best: number): number[] {
  const digest = createHash('sha256').update(id).digest().subarray(0, HEARTBEAT_DIGEST);
  const bytes = Buffer.alloc(HEARTBEAT_BYTES);
  digest.copy(bytes);
  bytes[HEARTBEAT_DIGEST] = flags;
  bytes[HEARTBEAT_DIGEST + 1] = best;
  return [...bytes];
}

const sums = (...rows: readonly SumsRow[]) => sumsOf(rows).map((it) => ({ ...it, heartbeats: [...it.heartbeats] }));

describe('the rows of a store’s sums', () => {
  test('add up the figures of the heartbeats of each agent, in the order of the columns', () => {
    const [cto, ops] = sums(
      ['h', 'cto', 'a', ...figures(1)],
      ['h', 'ops', 'a', ...figures(1)],
      ['h', 'cto', 'b', ...figures(10)],
    );
    expect(cto).toMatchObject({
      ...{ agent_id: 'cto', rows: 11, recalls: 22, aborted: 33, unclosed: 44, silent: 55, unused: 66, events: 77 },
      ...{ used: 88, missed: 99, unnamed: 110, tokens: 121 },
    });
    expect(ops).toMatchObject({ agent_id: 'ops', rows: 1, tokens: 11 });
  });

  test('have a record for each heartbeat: its digest, its flags and its best rank, of 255 at most', () => {
    const nothing = Array<number>(11).fill(0);
    const [cto] = sums(
      ['h', 'cto', 'a', ...nothing, 1, 0, 0, 3],
      ['h', 'cto', 'b', ...nothing, 0, 1, 0, 255],
      ['h', 'cto', 7, ...nothing, 0, 0, 1, 256],
      ['h', 'cto', 'd', ...nothing, 1, 1, 1, 0],
      ['h', 'cto', 'e', ...nothing],
    );
    const { using, compared, woken } = HEARTBEAT;
    expect(cto?.heartbeats).toEqual([
      ...heartbeat('a', using, 3),
      ...heartbeat('b', compared, 255),
      ...heartbeat('7', woken, 255),
      ...heartbeat('d', using + compared + woken, 0),
      ...heartbeat('e', 0, 0),
    ]);
  });

  test('have those of other callers, ranks, missed names and units', () => {
    const [cto] = sums(
      ...([
        ['h', 'cto', 'a', 5],
        ['o', 'cto', null, 3],
        ['o', 'cto', null, 4],
      ] as const),
      ...([
        ['r', 'cto', 1, 9],
        ['r', 'cto', '2', 8],
      ] as const),
      ...([
        ['m', 'cto', 'travel', 2, 6],
        ['m', 'cto', 7, 1, 6],
      ] as const),
      ...([
        ['u', 'cto', 'limits', 4, 2],
        ['u', 'cto', 8, 1, 0],
      ] as const),
    );
    expect(cto).toEqual({
      ...{ ...EMPTY, agent_id: 'cto', rows: 12, by_others: 7, more_missed: 6 },
      ranks: [
        [1, 9],
        [2, 8],
      ],
      missed_names: [
        ['travel', 2],
        ['7', 1],
      ],
      units: [
        ['limits', 4, 2],
        ['8', 1, 0],
      ],
      heartbeats: heartbeat('a', 0, 0),
    });
  });

  test('add up what finds used, and how they came to it', () => {
    const [cto] = sums(['f', 'cto', null, 5, 3, 2, 1], ['f', 'cto', null, 50, 30, 20, 10]);
    expect(cto).toMatchObject({ used_of_finds: 55, found_first: 33, found_by_choice: 22, not_found: 11, rows: 0 });
  });
});

describe('the days of a store', () => {
  test('are read from two days before a window up to four days after it, whose rows are part of their state', () => {
    const day = 86_400_000;
    expect(windowAround({ since: 10 * day, until: 11 * day })).toEqual({ since: 8 * day, until: 15 * day, cut: 0 });
  });

  const day = (agent_id: string, at: number, rows: number, after_cut = 0) => ({
    ...{ agent_id, day: at, after_cut, rows, first: 10 * rows, last: 100 * rows },
  });

  test('have a state of their recalls, of those that may follow them, and of the closings of either', () => {
    const [recalls, closings] = [10, 0].map((more) => [1, 2, 3, 4, 5, 6, 7].map((at) => day('cto', at, at + more)));
    const followed = '12,120,1200;13,130,1300;14,140,1400;15,150,1500';
    const closed = '2,20,200;3,30,300;4,40,400;5,50,500;6,60,600';
    expect(daysOf([day('cto', 3, 9, 1)], { recalls: recalls!, closings: closings! })).toEqual([
      { agent_id: 'cto', day: 3, after_cut: true, rows: 9, state: `9,90,900;${followed};${closed}` },
    ]);
  });

  test('are of each agent by itself, without closings where it has none', () => {
    const around = { recalls: [], closings: [day('ops', 4, 1)] };
    expect(daysOf([day('cto', 3, 9), day('ops', 3, 8)], around)).toEqual([
      { agent_id: 'cto', day: 3, after_cut: false, rows: 9, state: '9,90,900;;;;;;;;;' },
      { agent_id: 'ops', day: 3, after_cut: false, rows: 8, state: '8,80,800;;;;;;;1,10,100;;' },
    ]);
  });
});
