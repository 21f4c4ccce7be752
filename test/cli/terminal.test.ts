import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { tempFolder } from '../support/folder.ts';
import { repository } from '../support/repository.ts';
import { workplace } from './workplace.ts';

const MAIN = fileURLToPath(new URL('../../dist/compiler/cli/main.js', import.meta.url));
const there = spawnSync('script', ['--version']).status === 0;
if (!there) console.warn('SKIPPED: no script(1) here, so nothing is tried on a pseudo-terminal');

/** Runs `vade` on a pseudo-terminal, and returns everything that a person would see. */
async function onTerminal(args: readonly string[], cwd: string, env: Record<string, string> = {}): Promise<string> {
  return (await typedOn(args, cwd, env)).seen;
}

/** @param stopAt who reads this presses Ctrl-C */
function typedOn(
  args: readonly string[],
  cwd: string,
  env: Record<string, string> = {},
  stopAt?: string,
): Promise<{ seen: string; exit: number | null }> {
  const line = [process.execPath, MAIN, ...args].map((word) => `'${word}'`).join(' ');
  const inherited = { ...process.env };
  delete inherited['CI'];
  delete inherited['NO_COLOR'];
  return new Promise((resolve) => {
    const child = spawn('script', ['-qec', line, '/dev/null'], {
      cwd,
      env: { ...inherited, TERM: 'xterm-256color', ...env },
      stdio: [stopAt === undefined ? 'ignore' : 'pipe', 'pipe', 'ignore'],
    });
    let seen = '';
    let isStopped = stopAt === undefined;
    child.stdout?.on('data', (chunk: Buffer) => {
      seen += chunk.toString('utf8');
      if (isStopped || !seen.includes(stopAt ?? '')) return;
      isStopped = true;
      child.stdin?.write('\u0003');
    });
    child.on('close', (exit) => {
      resolve({ seen, exit });
    });
  });
}

const RED = '\u001b[31m';
const REDRAW = '\r\u001b[K';

describe.runIf(there)('on a terminal', () => {
  test('on a terminal, stdout has text instead of an envelope, and an error is red', async () => {
    const seen = await onTerminal(['key', 'revoke', '--id', 'none'], tempFolder());
    expect(seen).toContain(RED);
    expect(seen).not.toContain('{"ok"');
  });

  test.each([{ NO_COLOR: '1' }, { TERM: 'dumb' }])('%j disables colour', async (env) => {
    expect(await onTerminal(['key', 'revoke', '--id', 'none'], tempFolder(), env)).not.toContain('\u001b[');
  });

  test('on a terminal, a progress bar is redrawn, moves and is erased before the result; --quiet disables it', async () => {
    const { cwd } = workplace();
    const args = ['compile', '--trust', 'root.json', '--key', 'signing.pem', '--dry-run'];
    expect(await onTerminal([...args, '--quiet'], cwd)).not.toContain(REDRAW);
    const seen = await onTerminal(args, cwd);
    expect(seen).toContain(REDRAW);
    const shares = [...seen.matchAll(/(\d+) %/g)].map(([, share]) => Number(share));
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    expect(new Set(shares).size).toBeGreaterThan(2);
    const shown = seen.split(/[\r\n]+/).filter((line) => line.includes('%'));
    for (const line of shown) expect(line).toMatch(/^\u001b\[K[━─]+ +\d+ % \w+$/);
  });

  test('on a terminal, vade lint shows a bar that is erased before the result; elsewhere stderr has findings alone', async () => {
    const { cwd: path } = workplace();
    for (const args of [['lint'], ['lint', '--fix', '--dry-run']]) {
      const seen = await onTerminal(args, path);
      const shares = [...seen.matchAll(/[━─] +(\d+) %/g)].map(([, share]) => Number(share));
      expect(shares).toEqual([...shares].sort((a, b) => a - b));
      expect(new Set(shares).size).toBeGreaterThan(2);
      expect(seen).toMatch(/\r\u001b\[K[^\u001b━─]*\d+ errors and [^\r]*\r\n$/);
    }
    expect(await onTerminal(['lint'], path, { CI: 'true' })).not.toContain(' %');
  });

  test.each([
    ['compile', 'history', ['compile', '--dev', '--out', 'made']],
    [
      'migrate',
      'proposing units',
      ['migrate', '--from', 'instructions/agents/cto', '--agent', 'new', '--out', 'made', '--write'],
    ],
  ])(
    'Ctrl-C in vade %s at “%s” erases the bar, exits with 130, and leaves nothing half-written or temporary',
    async (_, label, args) => {
      const { path } = repository().copy('instructions', 'instructions');
      execFileSync('git', ['-C', path, 'add', '.']);
      execFileSync('git', ['-C', path, '-c', 'user.name=a', '-c', 'user.email=a@b.c', 'commit', '-qm', 'begin']);
      const temporary = tempFolder();
      const { seen, exit } = await typedOn(args, path, { TMPDIR: temporary }, label);
      const [, after = ''] = seen.split('^C');
      expect(after).toMatch(/^(?:\r\u001b\[K.*)?\r\u001b\[K\S*vade:\S* ended by SIGINT\r\n$/);
      expect([exit, readdirSync(temporary), existsSync(join(path, 'made'))]).toEqual([130, [], false]);
    },
  );

  test('CI disables text, colour and progress bar', async () => {
    const seen = await onTerminal(['key', 'list'], tempFolder(), { CI: 'true' });
    expect(seen).toContain('{"ok":true');
    expect(seen).not.toContain('\u001b[');
  });

  test('on a terminal, --help is written to stdout', async () => {
    expect(await onTerminal(['--help'], tempFolder())).toContain('New here:');
  });
});

describe.runIf(existsSync('/dev/full'))('where stdout cannot be written', () => {
  test.each([
    ['the version', '--version'],
    ['the manifest', 'manifest'],
    ['a key, which is shown once', 'key create --reader metrics'],
    ['help', 'help'],
  ])('%s: the exit is 1, and stderr says why', (_, line) => {
    const command = `'${process.execPath}' '${MAIN}' ${line} > /dev/full`;
    const { status, stderr } = spawnSync('sh', ['-c', command], { cwd: tempFolder(), encoding: 'utf8' });
    expect([status, stderr.includes('ENOSPC')]).toEqual([1, true]);
  });
});
