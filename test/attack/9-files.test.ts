import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { openBundle } from '../../compiler/io/bundle/open-bundle.ts';
import { withdrawnFrom } from '../../compiler/io/bundle/sidecar-files.ts';
import { readIfThere, readRegular } from '../../compiler/io/files/file.ts';
import { acquireLock } from '../../server/audit/queue/spool.ts';
import { recallEntry } from '../../server/audit/records/entry.ts';
import { failure } from '../cli/failing.ts';
import { compiledWorkplace, TRUST, type Workplace } from '../cli/workplace.ts';
import { lineOf, opened } from '../server/audit/queue/spooling.ts';
import { record } from '../server/audit/records.ts';
import { MAIN, serve, vade, type Ran } from '../support/cli.ts';
import { compileRepository } from '../support/compiled.ts';
import { tempFolder } from '../support/folder.ts';
import { agentYaml, smallDeployment } from '../support/repository.ts';

/** Puts a named pipe, to which nobody ever writes, in the place of a file. */
function pipe(path: string): void {
  rmSync(path, { recursive: true, force: true });
  mkdirSync(dirname(path), { recursive: true });
  execFileSync('mkfifo', [path]);
}

let place: Workplace;

beforeAll(async () => {
  place = await compiledWorkplace();
});

/** A copy of what a server starts from; some file in it gives way to a pipe. */
function piped(file: string): string {
  const folder = tempFolder();
  for (const it of ['bundle', 'root.json']) cpSync(join(place.cwd, it), join(folder, it), { recursive: true });
  pipe(join(folder, file));
  return folder;
}

const PIPED = [
  ['bundle/current', 5, 'BUNDLE_NOT_FOUND'],
  ['bundle/withdrawn.dsse.json', 7, 'BUNDLE_UNVERIFIED'],
  ['root.json', 4, 'TRUST_REQUIRED'],
  ['keys.json', 3, 'REQUEST_INVALID'],
  ['audit.db.key', 1, 'OUTPUT_FAILED'],
  ['audit.db.checkpoint.pem', 1, 'OUTPUT_FAILED'],
  ['audit.db.checkpoint.pub', 1, 'OUTPUT_FAILED'],
  ['audit.db.seen.json', 1, 'OUTPUT_FAILED'],
] as const;

/** Starts a server in one folder after the other, by one process: one that waits for a pipe stops its process. */
function servedIn(folders: readonly string[]): Ran[] {
  const script = `
    import { runOn, thisTerminal } from '${dirname(MAIN)}/terminal.js';
    import { registryFor } from '${dirname(MAIN)}/commands/load.js';
    const [args, folders] = JSON.parse(process.argv[2]);
    for (const cwd of folders) {
      let stdout = '';
      const here = { ...thisTerminal(true), cwd, stdout: (text) => (stdout += text) };
      console.log(JSON.stringify({ code: await runOn(here, args, await registryFor(args)), stdout }));
    }
    process.exit();`;
  const file = join(tempFolder(), 'serve.mjs');
  writeFileSync(file, script);
  const asked = JSON.stringify([['serve', '--port', '0', ...TRUST], folders]);
  const limits = { timeout: 60_000, killSignal: 'SIGKILL' } as const;
  const { stdout, stderr } = spawnSync(process.execPath, [file, asked], { encoding: 'utf8', ...limits });
  const ended = JSON.parse(`[${stdout.trimEnd().replaceAll('\n', ',')}]`) as Ran[];
  return ended.map((it) => ({ ...it, stderr, envelope: () => JSON.parse(it.stdout) as ReturnType<Ran['envelope']> }));
}

describe('a named pipe or a link in the place of a file', () => {
  test('a server that starts does not wait for a pipe in the place of a file: it exits with its code', () => {
    const ended = servedIn(PIPED.map(([file]) => piped(file)));
    expect(ended.map((it, at) => [PIPED[at]?.[0], ...failure(it)])).toEqual(PIPED);
  });

  test('a server reads no rollback that its root does not need, and so waits for no pipe in its place', async () => {
    const server = await serve(TRUST, piped('bundle/rollback.dsse.json'));
    expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
    await server.stop('SIGTERM');
  });

  test('a running server keeps answering after its files became pipes', async () => {
    const folder = piped('unused');
    const created = await vade(['key', 'create', '--agent', 'cto', ...TRUST], folder);
    const server = await serve(TRUST, folder);
    try {
      const authorization = `Bearer ${String(created.envelope().data['key'])}`;
      const get = async (path: string) => (await fetch(`${server.url}${path}`, { headers: { authorization } })).status;
      const coverage = '/v1/agents/cto/instruction-manifest/coverage';
      expect([await get('/v1/agents/cto/boot-stub'), await get(coverage)]).toEqual([200, 200]);
      const [garden = ''] = readdirSync(join(folder, 'bundle/gardens/cto'));
      pipe(join(folder, 'bundle/gardens/cto', garden, 'coverage.json'));
      expect(await get(coverage)).toBe(503);
      const beside = ['current', 'withdrawn.dsse.json', 'freshness.dsse.json', 'rollback.dsse.json'];
      for (const name of [...beside.map((it) => `bundle/${it}`), 'keys.json']) pipe(join(folder, name));
      await vi.waitFor(() => {
        for (const told of ['key file cannot be read', 'withdrawals do not verify'])
          expect(server.log()).toContain(told);
      }, 30_000);
      expect([await get('/healthz'), await get('/v1/agents/cto/boot-stub')]).toEqual([200, 200]);
    } finally {
      await server.stop();
    }
  });

  test('a link in the place of withdrawn.dsse.json is refused', () => {
    const folder = piped('unused');
    const bundle = join(folder, 'bundle');
    const open = () => openBundle(bundle, { pinned: place.trust.root, now: new Date().toISOString() });
    const elsewhere = join(folder, 'elsewhere');
    writeFileSync(elsewhere, '{"format":1,"envelopes":[]}');
    for (const target of ['/dev/zero', elsewhere]) {
      rmSync(join(bundle, 'withdrawn.dsse.json'), { force: true });
      symlinkSync(target, join(bundle, 'withdrawn.dsse.json'));
      expect(() => withdrawnFrom(open())).toThrow(expect.objectContaining({ code: 'bundle_unverified' }));
    }
  });

  test('readRegular refuses more bytes than its limit, devices and folders, and links if told so', () => {
    const folder = tempFolder();
    const file = join(folder, 'file');
    writeFileSync(file, 'twelve bytes');
    symlinkSync(file, join(folder, 'link'));
    expect(readRegular(join(folder, 'link'), 12).toString()).toBe('twelve bytes');
    expect(() => readRegular(join(folder, 'link'), 12, 'refuse')).toThrow('ELOOP');
    expect(() => readRegular(file, 11)).toThrow('12 bytes');
    for (const other of ['/dev/null', folder]) expect(() => readRegular(other, 12)).toThrow('not a regular file');
    expect([readIfThere(join(folder, 'none'), 1), readIfThere(join(file, 'below'), 1)]).toEqual([null, null]);
  });
});

describe('a damaged lock file', () => {
  const GARBAGE = [Buffer.from('hello'), Buffer.alloc(8192, 7), Buffer.from(`SQLite format 3\0${'x'.repeat(4080)}`)];

  test.each(GARBAGE.map((it) => [it.length, it] as const))(
    'a spool takes over the rows of an ended process whose lock has %i bytes of garbage',
    (_, garbage) => {
      const folder = tempFolder();
      writeFileSync(join(folder, 'gone.00000001.jsonl'), lineOf(recallEntry(record(1), 'full')));
      writeFileSync(join(folder, 'gone.lock'), garbage);
      const spool = opened(folder, 'own');
      expect(spool.oldest().map((it) => it.id)).toEqual([record(1).id]);
      spool.drop();
      spool.end();
      expect(readdirSync(folder)).toEqual([]);
    },
  );

  test('a held lock stays held if somebody writes into its file', () => {
    const path = join(tempFolder(), 'held.lock');
    const held = acquireLock(path);
    writeFileSync(path, Buffer.alloc(8192, 7));
    expect(acquireLock(path)).toBeNull();
    held?.();
    const next = acquireLock(path);
    expect(next).not.toBeNull();
    truncateSync(path);
    expect(acquireLock(path)).toBeNull();
    next?.();
  });

  test('a pipe in the place of a lock is an error that says to remove it', () => {
    const path = join(tempFolder(), 'odd.lock');
    pipe(path);
    expect(() => acquireLock(path)).toThrow(/delete it/);
  });
});

describe('fields of one line', () => {
  const BROKEN = 'a\\nmanifest: forged\\x1b[2K';

  test('a compile refuses a line break or an escape sequence in each field of one line, with its position', async () => {
    const cto = 'instructions/agents/cto';
    const front = [
      `description: "${BROKEN}"`,
      'load_triggers:',
      `  intents: ["${BROKEN}"]`,
      `  keywords: ["${BROKEN}"]`,
      `  task_types: ["a\\u2028b"]`,
      'required_by_task_types: ["a\\rb"]',
      'aliases: ["a\\nb"]',
      'path: "a\\tb.md"',
    ];
    const repo = smallDeployment()
      .write(`${cto}/agent.yaml`, agentYaml('8e0ed057-bcd8-4f8f-92ee-c046c55b64e9').replace('CTO', `"${BROKEN}"`))
      .write(`${cto}/wrap-up.md`, `---\n${front.join('\n')}\n---\n\nLeave.\n`)
      .write(`${cto}/folded.md`, '---\ndescription: >\n  folded into\n  one line\n---\n\nLeave.\n');
    repo.commit();
    const { faults } = await compileRepository(repo.path);
    const told = faults.filter((it) => it.rule === 'value_invalid');
    expect(told.map((it) => `${it.file.slice(cto.length + 1)}:${it.line}`)).toEqual([
      'agent.yaml:2',
      ...[
        'wrap-up.md:2',
        'wrap-up.md:4',
        'wrap-up.md:5',
        'wrap-up.md:6',
        'wrap-up.md:7',
        'wrap-up.md:8',
        'wrap-up.md:9',
      ],
    ]);
    const [description] = told.filter((it) => it.line === 2);
    expect(description?.message).toContain('one line');
    expect(faults.filter((it) => it.file.endsWith('folded.md'))).toEqual([]);
  });

  test.each([
    ['a note', ['approve', '--kind', 'guarantee_load', '--agent', 'cto', '--unit', 'x', '--note', 'a\nb']],
    ['a reason to withdraw', ['withdraw', '--agent', 'cto', '--unit', 'x', '--reason', 'a\u001b[2Kb']],
    ['a reason to roll back', ['rollback', '--to', '1', '--reason', 'a\rb', ...TRUST]],
    ['a key’s name', ['key', 'create', '--reader', 'metrics', '--name', 'a\u2028b']],
  ])('a line break or an escape sequence in %s is an argument error', async (_, args) => {
    const ran = await vade(args, tempFolder());
    expect(failure(ran)).toEqual([3, 'ARGUMENT_INVALID']);
    expect(JSON.stringify(ran.envelope().error)).toContain('one line');
  });
});
