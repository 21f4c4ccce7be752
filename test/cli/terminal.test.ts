import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { tempFolder } from '../support/folder.ts';
import { workplace } from './workplace.ts';

const MAIN = fileURLToPath(new URL('../../dist/compiler/cli/main.js', import.meta.url));
const there = spawnSync('script', ['--version']).status === 0;
if (!there) console.warn('SKIPPED: no script(1) here, so nothing is tried on a pseudo-terminal');

/** Runs `vade` on a pseudo-terminal, and returns everything that a person would see. */
function onTerminal(args: readonly string[], cwd: string, env: Record<string, string> = {}): Promise<string> {
  const line = [process.execPath, MAIN, ...args].map((word) => `'${word}'`).join(' ');
  const inherited = { ...process.env };
  delete inherited['CI'];
  delete inherited['NO_COLOR'];
  return new Promise((resolve) => {
    const child = spawn('script', ['-qec', line, '/dev/null'], {
      cwd,
      env: { ...inherited, TERM: 'xterm-256color', ...env },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    let seen = '';
    child.stdout.on('data', (chunk: Buffer) => (seen += chunk.toString('utf8')));
    child.on('close', () => {
      resolve(seen);
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

  test('on a terminal, a progress bar is redrawn, and --quiet disables it', async () => {
    const { cwd } = workplace();
    const args = ['compile', '--trust', 'root.json', '--key', 'signing.pem', '--dry-run'];
    expect(await onTerminal(args, cwd)).toContain(REDRAW);
    expect(await onTerminal([...args, '--quiet'], cwd)).not.toContain(REDRAW);
  });

  test('on a terminal, a progress bar moves, and is erased before the result', async () => {
    const { cwd } = workplace();
    const seen = await onTerminal(['compile', '--trust', 'root.json', '--key', 'signing.pem', '--dry-run'], cwd);
    const shares = [...seen.matchAll(/(\d+) %/g)].map(([, share]) => Number(share));
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    expect(new Set(shares).size).toBeGreaterThan(2);
    const shown = seen.split(/[\r\n]+/).filter((line) => line.includes('%'));
    for (const line of shown) expect(line).toMatch(/^\u001b\[K[━─]+ +\d+ % \w+$/);
  });

  test('CI disables text, colour and progress bar', async () => {
    const seen = await onTerminal(['key', 'list'], tempFolder(), { CI: 'true' });
    expect(seen).toContain('{"ok":true');
    expect(seen).not.toContain('\u001b[');
  });

  test('on a terminal, --help is written to stdout', async () => {
    expect(await onTerminal(['--help'], tempFolder())).toContain('New here:');
  });
});
