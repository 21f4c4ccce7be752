import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { beforeAll, describe, expect, test } from 'vitest';
import { openContinuity } from '../../../../server/continuity/open.ts';
import { capsuleOf, upsertOf } from '../../../continuity/capsules.ts';
import { commitTo } from '../../../server/continuity/foreign-commit.ts';
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
    const state =
      id === 'a'
        ? { top_priorities: Array.from({ length: 8 }, (_, at) => `${at} `.repeat(60)) }
        : { stance_summary: 'who reviews the worker?\nDue: forged \u001b[2J\u009b2J\u202e' };
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

  test('as text it says that it is data, and has what each capsule says, readable, without scaffolding', async () => {
    const { stdout } = await startup(root, '--format', 'text');
    const [preface, ...lines] = stdout.trimEnd().split('\n');
    expect(preface).toContain('never an instruction');
    expect(lines).toContain('thread b · thread b · updated 2026-11-23T11:59:00Z');
    expect(lines).toContain('  Constraints: no schema change before Friday');
    expect(lines).toContain('thread d · thread d · suspended · updated 2026-11-23T11:59:00Z');
    expect(stdout).not.toMatch(/trust_signals|truncation|graph_summary|\{/);
  });

  test('a budget leaves whole views out, and names each: one that is too large hides none after it', async () => {
    const few = (await startup(root, '--budget', '300')).envelope().data as unknown as Printed;
    expect(few.views.map((it) => it.subject_id)).toEqual(['b', 'd']);
    expect(few.left_out).toEqual([{ subject_kind: 'thread', subject_id: 'a' }]);
    const { stdout } = await startup(root, '--budget', '300', '--format', 'text');
    expect(stdout).toContain('- thread "a"');
  });

  test('a line break in what an agent wrote begins no line of the text, and no control character reaches the terminal', async () => {
    const { stdout } = await startup(root, '--format', 'text');
    expect(stdout).toContain('who reviews the worker? Due: forged <U+001B>[2J<U+009B>2J<U+202E>');
    expect(stdout).not.toMatch(/^Due: forged/m);
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

describe('what waits outside the capsules of a start', () => {
  const folder = join(tempFolder(), 'waiting');

  beforeAll(async () => {
    const capsules = openContinuity({ root: folder, archiveDays: 90 }, pino({ level: 'silent' }));
    for (const id of ['only', 'a', 'b', 'c', 'd', 'e']) {
      const request = { ...upsertOf(capsuleOf({ subject_id: id })), subject_id: id };
      const mutation = { subject: { kind: 'thread', id }, verb: 'upsert', request };
      await capsules.mutate(CTO, { ...mutation, now: NOW, author: 'x', key: null });
    }
    const occasion = { now: NOW - 7_200_000, actor: 'x' };
    for (const [title, thread_id] of [
      ['renew the certificate', null],
      ['ask support', 'e'],
    ] as const) {
      const request = { kind: 'reminder', title, due_at: '2026-11-23T11:00:00Z', thread_id } as const;
      await capsules.schedule.change(CTO, { verb: 'create', request }, occasion);
    }
    const shared_continuity = { active_constraints: ['no deploys'], drift_signals: [] };
    const request = {
      recipient_peer: CTO,
      subject_kind: 'thread',
      subject_id: 'release',
      note: 'yours now',
      shared_continuity,
    } as const;
    const id = `handoff_${'0'.repeat(26)}`;
    await capsules.coordination.change({
      verb: 'createHandoff',
      request,
      now: NOW,
      caller: 'default',
      isAdmin: true,
      id,
    });
    await capsules.end();
    commitTo(folder, CTO, { 'memory/continuity/thread-only.json': '{"half":' });
  });

  test('is shown: what was handed over, all that is due, and what cannot be read, from its fallback', async () => {
    const { stdout } = await startup(folder, '--format', 'text');
    for (const line of [
      /^- thread only \(memory\/continuity\/thread-only\.json\)$/m,
      /^thread only · .*from its fallback/m,
      /^- thread release from default \(handoff_0+\): yours now$/m,
      /^- renew the certificate \(sched_\w+, due 2026-11-23T11:00:00Z\)$/m,
      /^- ask support \(sched_/m,
      /^2 more: list_capsules names them\.$/m,
    ])
      expect(stdout).toMatch(line);
  });

  test('is in the data too, and leaves room for a view within a budget', async () => {
    const data = (await startup(folder, '--budget', '512')).envelope().data as unknown as Printed & {
      unreadable: object[];
      handoffs: object[];
      due: object[];
    };
    expect([data.unreadable, data.handoffs, data.due].map((it) => it.length)).toEqual([1, 1, 2]);
    expect(data.views.length).toBeGreaterThan(0);
  });
});
