import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { openLedger } from '../../compiler/io/ledger/open-ledger.ts';
import type { lockedShapes } from '../../compiler/schema/json/locked-shapes.ts';
import { APPROVAL_TYPE, Approval } from '../../compiler/schema/source/approval.ts';
import { signApproval } from '../../compiler/trust/approval.ts';
import { peekPayload } from '../../compiler/trust/dsse.ts';
import { libraryFiles, READER, smallSet, writeCapabilities } from '../support/capabilities.ts';
import type { Ran } from '../support/cli.ts';
import { ORCHESTRATOR, spawnRow } from '../support/planned.ts';
import { approve, BY, faultsOf, filed, staffed, toldBy, warningsOf, type Staffed } from '../support/staffed.ts';
import { taskToml } from '../support/tasks.ts';

/** What the program of a test has instead of its own shapes. */
const other = vi.hoisted(() => ({ shapes: null as object | null }));

vi.mock('../../compiler/schema/json/locked-shapes.ts', async (original) => {
  const own = await original<{ lockedShapes: typeof lockedShapes }>();
  return { ...own, lockedShapes: () => other.shapes ?? own.lockedShapes() };
});

beforeEach(() => {
  other.shapes = null;
});

const ROLE = ['--kind', 'role', '--role'];
const LOCK = ['--kind', 'schema_lock'];
const END = ['--kind', 'schema_unlock', '--note', 'the shape of a role has to change'];
const LEDGER = '.git/vade/ledger.db';

let place: Staffed;
let clock: number;
const commit = (by?: string) => place.repo.commit('change', (clock += 60), by);
const give = async (...args: string[]) => {
  const ran = await approve(place, place.ann, ...args, ...place.trust);
  expect(ran.envelope().ok, ran.stdout).toBe(true);
  commit(BY.ann);
  return ran;
};
const lockFile = () => filed(place).find((it) => it.includes('schema_lock')) ?? '';
const isOk = (ran: Ran) => ran.envelope().ok;
const log = async () =>
  (await place.run(['task', 'log'])).envelope().data['rows'] as { kind: string; agent_id: unknown; details: object }[];

/** Administrators compile with the shapes of a later version. */
const withOtherShapes = async (run: () => Promise<Ran>) => {
  other.shapes = { contract: 99 };
  const ran = await run();
  other.shapes = null;
  return ran;
};

beforeAll(async () => {
  place = staffed((repo) => writeCapabilities(repo, smallSet()).write('.gitignore', '/tasks/\n'));
  clock = Math.floor(Date.now() / 1000) - 3600;
  await give(...ROLE, 'reader');
});

describe('a lock of the shapes of atoms, roles and tasks (agent substrate, Lock declaration)', () => {
  test('nobody but an administrator gives one, for at most three weeks, and ends one with a reason', async () => {
    const code = async (...args: string[]) => (await place.run(['approve', ...args])).envelope().error.code;
    expect(await code(...LOCK, '--key', place.eve.file, ...place.trust)).toBe('SIGNING_KEY_REQUIRED');
    const bad = [
      [...LOCK, '--agent', 'cto'],
      [...LOCK, '--role', 'reader'],
      [...LOCK, '--expires', '2099-01-01T00:00:00Z'],
      [...END, '--expires', '2099-01-01T00:00:00Z'],
      ['--kind', 'schema_unlock'],
    ];
    for (const args of bad) expect(await code(...args, '--key', place.ann.file)).toBe('ARGUMENT_INVALID');
    expect(await code(...END, '--key', place.ann.file, ...place.trust)).toBe('FACT_NOT_FOUND');
    expect(filed(place).filter((it) => it.includes('schema_'))).toEqual([]);
  });

  test('a lock that a stranger wrote stops nobody', async () => {
    const digest = 'f'.repeat(64);
    const forged = Approval.parse({
      ...{ deployment: 'acme', garden: 'capabilities', unit: null, kind: 'schema_lock', value: digest, digest },
      ...{ delivery: null, source_digest: null, note: null, expires: null },
    });
    place.repo.write('instructions/approvals/forged.json', signApproval(forged, [place.eve.signer]).toString('utf8'));
    commit();
    const ran = await place.compile();
    expect([isOk(ran), toldBy(ran)]).toEqual([true, expect.arrayContaining(['approval_invalid'])]);
    rmSync(join(place.repo.path, 'instructions/approvals/forged.json'));
    commit();
  });

  test('new atoms and new roles come in while it is in force', async () => {
    await give(...LOCK);
    const more = [...libraryFiles()].filter(([path]) => path.startsWith('capabilities/output/severity-grade/'));
    expect(more).toHaveLength(2);
    writeCapabilities(place.repo, new Map(more));
    place.repo.write(
      'instructions/roles/grader.toml',
      READER.replaceAll('"reader"', '"grader"').replace(']\n\n[tools]', ', "output::severity-grade"]\n\n[tools]'),
    );
    commit();
    await give(...ROLE, 'grader');
    const ran = await place.compile();
    expect(isOk(ran), ran.stdout).toBe(true);
  });

  test('a version of vade with other shapes compiles nothing, and its author is told what to do', async () => {
    const ran = await withOtherShapes(() => place.compile());
    expect(toldBy(ran)).toContain('schema_locked');
    expect(faultsOf(ran).find(({ rule }) => rule === 'schema_locked')?.help).toContain('schema_unlock');
  });

  test('nor does it compose a task from the bundle', async () => {
    const task = join(place.repo.path, 'tasks/look');
    place.repo.write('tasks/look/task.toml', taskToml('reader', 'Look around.'));
    const compose = () => place.run(['task', 'compose', '--task', 'look', ...place.trust]);
    expect((await withOtherShapes(compose)).envelope().error.code).toBe('SCHEMA_LOCKED');
    expect(isOk(await compose())).toBe(true);
    rmSync(task, { recursive: true });
  });

  test('deleting its file does not end it', async () => {
    const file = lockFile();
    const bytes = readFileSync(file);
    rmSync(file);
    commit();
    expect(toldBy(await withOtherShapes(() => place.compile()))).toContain('schema_locked');
    writeFileSync(file, bytes);
    commit();
  });

  test('a ledger that cannot be written tells it, and the next try notes the end once', async () => {
    const path = join(place.repo.path, LEDGER);
    const ledger = openLedger(path);
    ledger.append(spawnRow('a-1'), ORCHESTRATOR);
    ledger.close();
    const whole = readFileSync(path);
    writeFileSync(path, 'not a database, but as long as the head of one: '.repeat(40));
    const end = () => approve(place, place.ann, ...END, ...place.trust);
    expect((await end()).envelope().error.code).toBe('LEDGER_UNREADABLE');
    writeFileSync(path, whole);
    const again = await end();
    expect([again.envelope().data['effect'], warningsOf(again)]).toEqual([
      'noop',
      expect.arrayContaining(['AGENTS_AT_WORK']),
    ]);
    await end();
    const rows = (await log()).filter(({ kind }) => kind === 'schema_unlock');
    const [file = ''] = filed(place).filter((it) => it.includes('schema_unlock'));
    const { sources, note } = Approval.parse(
      JSON.parse(peekPayload(readFileSync(file), APPROVAL_TYPE).toString('utf8')),
    );
    expect(rows).toMatchObject([{ agent_id: null, details: { locks: sources, reason: note } }]);
  });

  test('its signed end lets other shapes in, also when the file of that end is deleted', async () => {
    commit(BY.ann);
    const free = await withOtherShapes(() => place.compile());
    expect(isOk(free), free.stdout).toBe(true);
    expect(toldBy(free)).toContain('approval_lapsed');
    for (const it of filed(place).filter((path) => path.includes('schema_unlock'))) rmSync(it);
    commit();
    expect(isOk(await withOtherShapes(() => place.compile()))).toBe(true);
  });

  test('a handbook without atoms and roles has nothing to lock', async () => {
    const bare = staffed();
    const ran = await approve(bare, bare.ann, ...LOCK, ...bare.trust);
    expect(ran.envelope().error.code).toBe('FACT_NOT_FOUND');
  });
});
