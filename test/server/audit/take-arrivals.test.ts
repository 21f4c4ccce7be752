import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { beforeEach, describe, expect, test } from 'vitest';
import { appendArrival, ARRIVALS_FILE, type ArrivalsPlace } from '../../../compiler/io/files/arrivals-spool.ts';
import type { TakenArrival } from '../../../compiler/schema/audit/arrival.ts';
import { DAY_MS } from '../../../compiler/schema/audit/sums.ts';
import { verifyAudit } from '../../../server/audit/maintenance.ts';
import { openAudit } from '../../../server/audit/open.ts';
import { readPrompts } from '../../../server/audit/read-answers.ts';
import { takeArrivals, takeWaiting, takingArrivals } from '../../../server/audit/take-arrivals.ts';
import { tempFolder } from '../../support/folder.ts';
import { asNobody, NOBODY } from '../../support/unprivileged.ts';
import { arrival, arrivalId, silences, toldArrival } from './arrival-records.ts';
import { record, START } from './records.ts';

let place: ArrivalsPlace;
let audit: string;

beforeEach(() => {
  const base = tempFolder();
  place = { folder: join(base, '.vade'), scratch: join(base, 'vade-0/0123456789abcdef') };
  audit = join(base, 'audit.db');
});

const TAKEN = 'arrivals.01JZ3K8M5QW7XE9RT2VB4NC6DF.taken';
const now = () => START + DAY_MS;
const log = pino({ level: 'silent' });
const isRoot = process.geteuid?.() === 0;
const spool = () => join(place.folder, ARRIVALS_FILE);
const hooked = (...lines: readonly (string | object)[]) => {
  for (const it of lines) expect(appendArrival(place, typeof it === 'string' ? it : JSON.stringify(it))).toBe(true);
};
const silent = (agent_id: string, seconds = 0) => ({ agent_id, silent_at: START + seconds * 1000 });
const filesOf = (folder: string) => readdirSync(folder).filter((it) => it.startsWith('arrivals'));

/** Takes into memory; a store that `fails` refuses rows. */
async function taken(fails = false) {
  const rows: TakenArrival[] = [];
  const take = async (given: readonly TakenArrival[]) => {
    if (fails) throw new Error('the disk is full');
    rows.push(...given);
    return Promise.resolve();
  };
  return { problems: await takeArrivals(place, take, now()), rows, ids: rows.map((it) => it.id) };
}

describe('taking what hooks wrote', () => {
  test('both folders are taken, silences of each agent as one, and their files are deleted', async () => {
    hooked(silent('cto-id', 5), arrival(1), silent('ops-id'), silent('cto-id', 1), toldArrival(2));
    expect(appendArrival({ ...place, folder: join(spool(), 'no') }, JSON.stringify(arrival(3)))).toBe(true);
    const { problems, rows } = await taken();
    const quiet = (count: number, agent_id: string, created_at: number) =>
      silences(count, { id: expect.stringMatching(/^silence_[0-9a-f]{32}$/) as string, agent_id, created_at });
    const all = [quiet(2, 'cto-id', START + 5000), arrival(1), quiet(1, 'ops-id', START), toldArrival(2), arrival(3)];
    expect([problems, rows]).toEqual([[], all]);
    expect([filesOf(place.folder), filesOf(place.scratch), (await taken()).rows]).toEqual([[], [], []]);
  });

  test('a file that a killed process left is taken, with the same ids, and hooks go on in a new one', async () => {
    hooked(arrival(1), silent('cto-id'));
    renameSync(spool(), join(place.folder, TAKEN));
    hooked(arrival(2));
    const { ids } = await taken();
    hooked(arrival(1), silent('cto-id'));
    renameSync(spool(), join(place.folder, TAKEN));
    expect([(await taken()).ids, arrivalId(2)]).toEqual([ids.slice(0, 2), ids[2]]);
  });

  test('a store that refuses rows leaves files where they are, and no more than sixteen are taken away', async () => {
    for (let i = 0; i < 18; i += 1) {
      hooked(arrival(i));
      expect((await taken(true)).problems).toEqual(['the disk is full']);
    }
    expect([filesOf(place.folder).length, filesOf(place.folder).includes(ARRIVALS_FILE)]).toEqual([17, true]);
    expect([(await taken()).ids.length, (await taken()).ids.length]).toEqual([16, 2]);
  });

  test.each(['ln -s /etc/passwd', 'mkfifo', 'mkdir'])(
    'what `%s` makes at the place of the file is reported, and not read',
    async (command) => {
      mkdirSync(place.folder);
      spawnSync(`${command} ${spool()}`, { shell: true });
      const first = await taken();
      hooked(arrival(1));
      const second = await taken();
      expect([first.problems.length, first.ids, second.problems.length, second.ids]).toEqual([
        1,
        [],
        1,
        [arrivalId(1)],
      ]);
    },
  );

  test('a folder that cannot be written is a problem, and keeps its file', async () => {
    hooked(arrival(1));
    chmodSync(join(place.folder, '..'), 0o755);
    for (const it of [place.folder, spool()]) if (isRoot) chownSync(it, NOBODY, NOBODY);
    chmodSync(place.folder, 0o500);
    const { problems } = await asNobody(() => taken());
    chmodSync(place.folder, 0o700);
    expect([problems, filesOf(place.folder)]).toEqual([[expect.stringMatching(/EACCES/)], [ARRIVALS_FILE]]);
  });

  test.each<[string, string | object]>([
    ['a torn line', JSON.stringify(arrival(1)).slice(0, -9)],
    ['null', 'null'],
    ['a huge name', arrival(1, { names: ['x'.repeat(60_000)] })],
    ['too many pages', arrival(1, { pages: Array.from({ length: 51 }, () => ({ name: 'a', version: 'v1' })) })],
    ['an agent with NUL, which PostgreSQL refuses', arrival(1, { agent_id: 'a\0b' })],
    ['half of a surrogate pair', arrival(1, { agent_id: 'a\ud800' })],
    ['a mark that turns the direction of text', arrival(1, { names: ['a\u202eb'] })],
    ['the id of a recall', arrival(1, { id: 'audevent_01JZ3K8M5QW7XE9RT2VB4N0001' })],
    ['an unknown member', { ...arrival(1), count: 1000 }],
    ['more tokens than a sum can hold', arrival(1, { tokens: Number.MAX_SAFE_INTEGER })],
    ['a far time', arrival(1, { created_at: START + 3 * DAY_MS })],
    ['a time of another era', { agent_id: 'a', silent_at: 0 }],
    ['a text that has another digest', toldArrival(1, 'a', { intent_digest: arrival(2).intent_digest })],
    ['a text that is too long', toldArrival(1, 'x'.repeat(8001))],
  ])('a line with %s is skipped, and the others are read', async (_, line) => {
    hooked(toldArrival(8, 'x\ud800y'), line, arrival(9));
    const { problems, ids } = await taken();
    expect([problems, ids]).toEqual([[expect.stringMatching(/^1 lines/)], [arrivalId(8), arrivalId(9)]]);
  });
});

describe('arrivals in an audit', () => {
  const named = (i: number) => toldArrival(i, `prompt ${i}`, { pages: [], names: ['limits'] });
  const prompts = async () =>
    (await readPrompts({ audit, state: audit }, { agent: 'cto-id', since: 0, until: START * 2 })).map((it) => it.id);
  const opened = (intents: 'full' | 'digest' = 'full') => openAudit({ audit, intents, now }, log);
  const entries = async () => (await verifyAudit({ audit, state: audit }, { pinned: null })).entries;

  test('a running process takes them at its start and at its end, and the audit verifies', async () => {
    hooked(named(1));
    const running = takingArrivals(await opened(), place, { log, now });
    await expect.poll(() => filesOf(place.folder)).toEqual([]);
    hooked(named(2), toldArrival(3));
    await running.end();
    expect([await prompts(), await entries()]).toEqual([[arrivalId(2), arrivalId(1)], 4]);
  });

  test('two processes at once, and a kill before the deletion, store each once', async () => {
    const logs = [await opened(), await opened()];
    const many = Array.from({ length: 1200 }, (_, i) => named(i));
    hooked(...many, silent('cto-id'));
    // the store has the rows of this file already
    await logs[0]!.take(many.slice(0, 30));
    renameSync(spool(), join(place.folder, TAKEN));
    const results = logs.map((it) => takeArrivals(place, it.take, now()));
    const problems = (await Promise.all(results)).flat();
    if (problems.length > 0) await takeArrivals(place, logs[0]!.take, now());
    for (const it of logs) await it.end();
    // a process that was too late has stored nothing, not even its opening
    const { entries: all, writers } = await verifyAudit({ audit, state: audit }, { pinned: null });
    expect([new Set(await prompts()).size, all - writers]).toEqual([1200, 1200 + 1]);
  });

  test('a command takes what waits into an audit of this place, with texts as its server stores them', async () => {
    hooked(named(1));
    expect([await takeWaiting(place, { audit, now }), filesOf(place.folder)]).toEqual([[], [ARRIVALS_FILE]]);
    const running = await opened('digest');
    await running.append(record(2));
    await running.end();
    const copy = join(place.folder, 'copy.db');
    writeFileSync(copy, '');
    expect([await takeWaiting(place, { audit: copy, now }), filesOf(place.folder)]).toEqual([[], [ARRIVALS_FILE]]);
    expect([await takeWaiting(place, { audit, now }), filesOf(place.folder)]).toEqual([[], []]);
    expect([await prompts(), await entries()]).toEqual([[], 4]);
  });
});
