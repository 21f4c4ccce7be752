import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { basename, dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import type { VerifyReport } from '../../compiler/tasks/schema/verify-report.ts';
import { tempFolder } from '../support/folder.ts';
import { describeWhere } from '../support/loudly.ts';
import { orchestrated, type Orchestrated } from '../support/orchestrated.ts';
import { isConfinable } from '../support/sandboxes.ts';
import { MENDER, PROJECT } from '../support/shop-agents.ts';
import { taskToml } from '../support/tasks.ts';

interface Attack {
  readonly attack: string;
  readonly write?: Readonly<Record<string, string>>;
  readonly run?: readonly string[];
  readonly done: string;
  readonly confined: readonly string[];
  readonly unconfined: readonly string[];
}

const ATTACKS = parse(readFileSync('test/attack/three-lines.yaml', 'utf8')) as Attack[];
const SCOPE = '[scope]\nfiles-whitelist = ["src/**", "test/**"]\n[verification]\ntest-count-min = 1\n';

/** A host: asks the hook of its settings before each call, says what it denied, and makes the call all the same. */
const HOST = `#!/usr/bin/env node
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
const { hooks } = JSON.parse(readFileSync(join(process.env.HOME, '.claude/settings.json'), 'utf8'));
const { command } = hooks.PreToolUse[0].hooks[0];
const cwd = process.cwd();
for (const [tool_name, tool_input] of JSON.parse(readFileSync(join(import.meta.dirname, 'calls.json'), 'utf8'))) {
  const input = JSON.stringify({ session_id: 's', hook_event_name: 'PreToolUse', cwd, tool_name, tool_input });
  const asked = spawnSync('sh', ['-c', command], { input });
  if (asked.status !== 0) console.log('DENIED ' + asked.stderr);
  if (tool_name === 'Bash') spawnSync('bash', ['-c', tool_input.command]);
  else {
    mkdirSync(dirname(tool_input.file_path), { recursive: true });
    writeFileSync(tool_input.file_path, tool_input.content);
  }
}
console.log('files-touched: see the worktree\\nresult: done');
`;

let place: Orchestrated;
let daemon: ChildProcess;
/** Values that the attacks name, by their names in braces. */
let names: Readonly<Record<string, string>>;
/** Folders that a run may change, each with its copy. */
let kept: readonly (readonly [folder: string, copy: string])[];

const copy = (from: string, to: string) => execFileSync('cp', ['-a', from, to]);
const put = (text: string, more: Readonly<Record<string, string>> = {}) =>
  Object.entries({ ...names, ...more }).reduce((all, [name, value]) => all.replaceAll(`{${name}}`, value), text);

/** A port that nobody listens on. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  const { port } = server.address() as { port: number };
  await new Promise((done) => server.close(done));
  return port;
}

async function serve(bare: string): Promise<string> {
  const port = await freePort();
  const words = ['daemon', '--listen=127.0.0.1', `--port=${port}`, `--base-path=${dirname(bare)}`];
  daemon = spawn('git', [...words, '--export-all', '--enable=receive-pack'], { stdio: 'ignore', detached: true });
  const served = `git://127.0.0.1:${port}/${basename(bare)}`;
  await vi.waitFor(() => execFileSync('git', ['ls-remote', served], { stdio: 'ignore' }), { timeout: 20_000 });
  return served;
}

/** A row of the table in the figures. */
function rowOf({ attack, confined, unconfined }: Attack): string[] {
  const told = (lines: readonly string[]) =>
    lines.map((it) => (it === 'told' ? 'reported, not stopped' : it)).join(', ') || 'nothing';
  return [attack, told(confined), told(unconfined)];
}

test('the figures say of each attack what stops it', () => {
  const figures = readFileSync('compiler/capabilities/FIGURES.md', 'utf8');
  const [, table = ''] = /<!-- three lines -->([^]*)<!-- \/three lines -->/.exec(figures) ?? [];
  const [, , ...rows] = table.trim().split('\n');
  const cells = rows.map((row) => row.split('|').slice(1, -1)).map((row) => row.map((it) => it.trim()));
  expect(cells).toEqual(ATTACKS.map(rowOf));
});

const missing = await isConfinable('bwrap');
const describeConfined = describeWhere(missing === '', 'vade task run in bwrap', missing);

describeConfined('three lines of defence', () => {
  beforeAll(async () => {
    place = await orchestrated(
      (repo) => {
        for (const [path, text] of Object.entries(PROJECT)) repo.write(path, text);
        repo.remove('instructions/roles').write('instructions/roles/mender.toml', MENDER);
      },
      ['mender'],
    );
    const main = place.repo.path;
    const [tools, remotes] = [tempFolder(), tempFolder()];
    const bare = join(remotes, 'bare.git');
    execFileSync('git', ['clone', '--quiet', '--bare', main, bare], { stdio: 'pipe' });
    execFileSync('git', ['init', '--quiet', '--bare', join(main, '.git/modules/vendor/lib')]);
    const other = join(`${main}.worktrees`, 'other');
    mkdirSync(other, { recursive: true });
    place.task('attack', taskToml('mender', 'Mend it.', SCOPE));
    const keys = [...place.trust, '--orchestrator', place.keyFile];
    const settings = ['--settings', join(place.home, '.claude/settings.json')];
    const installed = await place.run(['capability', 'install', ...keys, ...settings], { HOME: place.home });
    expect(installed.envelope().ok).toBe(true);
    const vade = resolve('dist/compiler/cli/main.js');
    // git is looked for in the PATH of this process
    vi.stubEnv('PATH', `${tools}:${process.env['PATH']}`);
    names = { main, home: place.home, other, bare, served: await serve(bare), tools, vade };
    execFileSync('git', ['remote', 'add', 'origin', names['served']!], { cwd: main });
    const copies = tempFolder();
    kept = [main, `${main}.worktrees`, place.home, bare, tools].map((it, at) => [it, join(copies, String(at))]);
    for (const [folder, to] of kept) copy(folder, to);
  });

  afterAll(() => {
    vi.unstubAllEnvs();
    if (daemon.pid !== undefined) process.kill(-daemon.pid);
  });

  /** One attack, confined or not. @returns the lines that stopped it, and what is told of it */
  async function stoppedBy({ write = {}, run = [], done }: Pick<Attack, 'done' | 'run' | 'write'>, flags: string[]) {
    for (const [folder, from] of kept) {
      rmSync(folder, { recursive: true, force: true });
      copy(from, folder);
    }
    const programs = tempFolder();
    const worktree = '{worktree}';
    const calls = [
      ...Object.entries(write).map(([file_path, content]) => ['Write', { file_path, content: put(content) }]),
      ...run.map((command) => ['Bash', { command: put(command) }]),
    ];
    writeFileSync(join(programs, 'calls.json'), JSON.stringify(calls));
    writeFileSync(join(programs, 'host.mjs'), HOST, { mode: 0o755 });
    const given = ['--task', 'attack', ...place.trust, '--key', place.keyFile];
    const words = ['task', 'run', ...given, '--program', join(programs, 'host.mjs'), ...flags];
    const ran = (await place.run(words, { HOME: place.home })).envelope();
    const data = (ran.ok ? ran.data : ran.error.context) as Record<string, string>;
    const judged = (data as unknown as { judged?: VerifyReport }).judged;
    const isDone = spawnSync('sh', ['-c', put(done).replaceAll(worktree, String(data['worktree']))]).status === 0;
    const lines = [
      ...(readFileSync(String(data['report']), 'utf8').includes('DENIED') ? ['gate'] : []),
      ...(isDone ? [] : ['confinement']),
      ...(isDone && judged?.verdict !== 'holds' ? ['verify'] : []),
      ...(isDone && judged?.verdict === 'holds' && judged.noticed.length > 0 ? ['told'] : []),
    ];
    return { lines, data, judged };
  }

  const ON = ['--confine', 'required', '--sandbox', 'required'];
  const OFF = ['--confine', 'none', '--sandbox', 'none'];

  test('there are twenty, four of each kind, and work that attacks nothing is merged', async () => {
    expect(ATTACKS).toHaveLength(20);
    for (const flags of [ON, OFF]) {
      const { lines, judged } = await stoppedBy(
        { write: { 'src/new.js': '' }, run: ['npm test'], done: 'true' },
        flags,
      );
      expect([lines, judged?.proposal]).toEqual([[], 'merge']);
    }
  });

  test('without the network a server on loopback is not reached either', async () => {
    const attack = ATTACKS.find((it) => it.write?.['src/x.sh']?.includes('{served}') === true)!;
    const { lines } = await stoppedBy(attack, [...ON, '--network', 'none']);
    expect(lines).toEqual(['confinement']);
  });

  test.each(ATTACKS)('$attack', async (attack) => {
    const shown = [];
    for (const flags of [ON, OFF]) shown.push((await stoppedBy(attack, flags)).lines);
    expect(shown).toEqual([attack.confined, attack.unconfined]);
  });
});
