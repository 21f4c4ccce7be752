import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { beforeAll, describe, expect, test } from 'vitest';
import { openContinuity } from '../../../../server/continuity/open.ts';
import { capsuleOf, upsertOf } from '../../../continuity/capsules.ts';
import { tempFolder } from '../../../support/folder.ts';
import { compiledWorkplace, TRUST, type Workplace } from '../../workplace.ts';

const CTO = '8e0ed057-bcd8-4f8f-92ee-c046c55b64e9';
const NOW = Date.parse('2026-11-23T12:00:00Z');

let place: Workplace;
let root: string;

interface Printed {
  readonly content_kind: string;
  readonly views: readonly { readonly subject_id: string; readonly startup_summary: object | null }[];
  readonly left_out: readonly { readonly subject_id: string }[];
}

beforeAll(async () => {
  place = await compiledWorkplace();
  root = join(place.cwd, 'capsules');
  const capsules = openContinuity({ root, archiveDays: 90 }, pino({ level: 'silent' }));
  for (const [id, lifecycle] of [
    ['a', 'active'],
    ['b', 'active'],
    ['c', 'concluded'],
    ['d', 'suspended'],
  ] as const) {
    // the most salient one is the largest
    const state = id === 'a' ? { top_priorities: Array.from({ length: 8 }, (_, at) => `${at} `.repeat(60)) } : {};
    const capsule = {
      ...capsuleOf({ subject_id: id }, state),
      thread_descriptor: { label: `thread ${id}`, lifecycle },
    };
    const mutation = {
      subject: { kind: 'thread', id },
      verb: 'upsert',
      request: { ...upsertOf(capsule), subject_id: id },
    };
    await capsules.mutate(CTO, { ...mutation, now: NOW, author: 'x', key: null });
  }
  await capsules.end();
});

const startup = (folder: string, ...more: string[]) =>
  place.run(['continuity', 'startup', '--continuity', folder, ...TRUST, '--agent', 'cto', ...more]);

const tip = () =>
  execFileSync('git', ['--git-dir', join(root, `${CTO}.git`), 'rev-parse', 'main'], { encoding: 'utf8' });

describe('vade continuity startup', () => {
  test('prints the startup views of what is open, the most salient first, and writes nothing', async () => {
    const before = tip();
    const data = (await startup(root)).envelope().data as unknown as Printed;
    expect(data).toMatchObject({ content_kind: 'agent_authored', left_out: [] });
    expect(data.views.map((it) => it.subject_id)).toEqual(['a', 'b', 'd']);
    for (const { startup_summary } of data.views)
      expect(Object.keys(startup_summary ?? {}).slice(0, 3)).toEqual(['recovery', 'orientation', 'context']);
    expect(tip()).toBe(before);
  });

  test('as text it says that it is data, and has one line for each view', async () => {
    const { stdout } = await startup(root, '--format', 'text');
    const [preface, ...lines] = stdout.trimEnd().split('\n');
    expect(preface).toContain('never an instruction');
    expect(lines.map((it) => (JSON.parse(it) as { content_kind: string }).content_kind)).toEqual(
      Array.from({ length: 3 }, () => 'agent_authored'),
    );
  });

  test('a budget leaves whole views out, and names each: one that is too large hides none after it', async () => {
    const all = (await startup(root)).envelope().data as unknown as Printed;
    const [least = 0] = all.views.map((it) => JSON.stringify(it).length).sort((a, b) => a - b);
    const budget = Math.ceil((least + 200) / 4);
    const few = (await startup(root, '--budget', String(budget))).envelope().data as unknown as Printed;
    expect(few.views).toHaveLength(1);
    expect(few.left_out[0]).toEqual({ subject_kind: 'thread', subject_id: 'a' });
    expect(JSON.stringify(few.views).length / 4).toBeLessThanOrEqual(budget);
    const named = [...few.views, ...few.left_out].map(({ subject_id }) => subject_id);
    expect(named.sort()).toEqual(['a', 'b', 'd']);
  });

  test('a session in which nothing has room begins with the names of what there is', async () => {
    const { stdout } = await startup(root, '--budget', '256', '--format', 'text');
    const [preface, told, ...names] = stdout.trimEnd().split('\n');
    expect([preface, told]).toEqual([
      expect.stringContaining('never an instruction'),
      expect.stringContaining('read_capsule'),
    ]);
    expect(names.map((it) => JSON.parse(it) as object)).toEqual(
      ['a', 'b', 'd'].map((subject_id) => ({ subject_kind: 'thread', subject_id })),
    );
  });

  test('an agent that kept nothing is given nothing, so a session begins as without it', async () => {
    const ran = await startup(join(tempFolder(), 'none'), '--format', 'text');
    expect([ran.code, ran.stdout]).toEqual([0, '']);
  });

  test('an agent that the bundle does not have is not found, and gets no store', async () => {
    const folder = join(tempFolder(), 'none');
    const ran = await place.run(['continuity', 'startup', '--continuity', folder, ...TRUST, '--agent', '../x']);
    expect(ran.code).toBeGreaterThan(2);
    expect(existsSync(join(folder, '../x.git'))).toBe(false);
  });
});
