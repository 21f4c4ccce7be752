import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { takeLock } from '../../compiler/io/files/lock.ts';
import { initialize, toolCall } from '../server/mcp/asking.ts';
import { MAIN, vade } from '../support/cli.ts';
import { tempFolder } from '../support/folder.ts';
import { smallDeployment, unitFile, type Repository } from '../support/repository.ts';

const children = new Set<{ kill: (signal: NodeJS.Signals) => unknown }>();
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
});

const UNIT = 'instructions/agents/cto/refunds.md';
const INTENT = 'give back money to a customer';
const unit = (text: string) => unitFile('How a customer gets money back', [INTENT], '', text);
const OWN = ['--dev', '--agent', 'cto'];

/** A checkout with a committed unit; its person has compiled it, unless they are new. */
async function checkout({ isNew = false } = {}): Promise<Repository> {
  const repo = smallDeployment().write(UNIT, unit('Hay.'));
  repo.commit('the handbook');
  if (!isNew) expect((await vade(['compile', '--dev'], repo.path)).code).toBe(0);
  return repo;
}

/** `vade mcp` in a folder, as a host starts it. */
function session(cwd: string, args = OWN, env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [MAIN, 'mcp', ...args], { cwd, env: { PATH: process.env['PATH'], ...env } });
  children.add(child);
  const printed = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => (printed.stdout += chunk.toString('utf8')));
  child.stderr.on('data', (chunk: Buffer) => (printed.stderr += chunk.toString('utf8')));
  child.stdin.on('error', () => undefined);
  child.stdin.write(`${initialize('2025-11-25')}\n`);
  const ended = once(child, 'exit').then(([code]) => code as number);
  const recall = () => {
    printed.stdout = '';
    child.stdin.write(`${toolCall('recall_instruction', { intent: INTENT })}\n`);
  };
  return {
    stderr: () => printed.stderr,
    /** The exit code and the log of a session that does not start. */
    refused: async () => [await ended, printed.stderr] as const,
    end: () => (child.stdin.end(), ended),
    /** Asks until an answer has a text. */
    answers: (text: string) =>
      vi.waitUntil(() => (printed.stdout.includes(text) ? true : (recall(), false)), {
        timeout: 60_000,
        interval: 200,
      }),
  };
}

const current = ({ path }: Repository) => readFileSync(join(path, 'bundle/current'), 'utf8');
const isCompiled = ({ path }: Repository) => existsSync(join(path, 'bundle'));

describe('A session of a person who has compiled with --dev here', () => {
  test('answers from the last bundle, then from one of the newest commit, without a home that can be written', async () => {
    const repo = await checkout();
    repo.write(UNIT, unit('Grass.')).commit('pulled');
    const sessions = [session(repo.path, OWN, { HOME: '/nonexistent' }), session(repo.path)];
    for (const it of sessions) await it.answers('Grass.');
    expect(await Promise.all(sessions.map((it) => it.end()))).toEqual([0, 0]);
    expect(existsSync(join(repo.path, '.vade/compile.lock'))).toBe(false);
  });

  test('keeps the last bundle after a compile that fails, and says so once', async () => {
    const repo = await checkout();
    const before = current(repo);
    repo.write(UNIT, 'no front matter\n').commit('broken');
    const { answers, stderr, end } = session(repo.path);
    await answers('Hay.');
    await vi.waitUntil(() => stderr().includes('vade compile --dev failed'), { timeout: 60_000 });
    await answers('Hay.');
    expect([await end(), stderr().split('compile --dev failed').length, current(repo)]).toEqual([0, 2, before]);
  });

  test('waits for the first bundle, also where another session makes it', async () => {
    const repo = await checkout();
    const { path } = repo;
    renameSync(join(path, 'bundle'), join(path, 'made'));
    const release = takeLock(join(path, '.vade/compile.lock'));
    const second = session(path);
    const asked = second.answers('Hay.');
    renameSync(join(path, 'made'), join(path, 'bundle'));
    await asked;
    release?.();
    rmSync(join(path, 'bundle'), { recursive: true });
    const first = session(path);
    await first.answers('Hay.');
    expect(await Promise.all([first.end(), second.end()])).toEqual([0, 0]);
  });

  test('says what to run where the first bundle cannot be compiled', async () => {
    const repo = await checkout();
    rmSync(join(repo.path, 'bundle'), { recursive: true });
    repo.write(UNIT, 'no front matter\n').commit('broken');
    expect(await session(repo.path).refused()).toEqual([
      5,
      expect.stringMatching(/BUNDLE_NOT_FOUND.*vade compile --dev/),
    ]);
  });
});

describe('Nothing is compiled', () => {
  test('in a clone whose person has not compiled: the error says what to run', async () => {
    const repo = await checkout({ isNew: true });
    expect(await session(repo.path).refused()).toEqual([
      4,
      expect.stringMatching(/TRUST_REQUIRED.*vade compile --dev/),
    ]);
    expect(isCompiled(repo)).toBe(false);
  });

  test('where the branch brought the development key and root', async () => {
    const repo = await checkout();
    repo.git('add', '--force', '.vade');
    rmSync(join(repo.path, 'bundle'), { recursive: true });
    repo.commit('a key for all');
    expect(await session(repo.path).refused()).toEqual([4, expect.stringContaining('git tracks')]);
    expect(isCompiled(repo)).toBe(false);
  });

  test.each([
    ['--trust', ['--trust', 'root.json', '--agent', 'cto']],
    ['--bundle', [...OWN, '--bundle', 'other']],
  ])('with %s', async (_flag, args) => {
    const repo = await checkout();
    rmSync(join(repo.path, 'bundle'), { recursive: true });
    await vade(['init', '--no-admin', '--deployment', 'acme', '--dir', 'new'], repo.path);
    renameSync(join(repo.path, 'new/instructions/trust/1.json'), join(repo.path, 'root.json'));
    expect((await session(repo.path, args).refused())[0]).toBe(5);
    expect(isCompiled(repo)).toBe(false);
  });

  test('where .vade or one of its files is a link', async () => {
    const repo = await checkout();
    const at = (name: string) => join(repo.path, name);
    const elsewhere = join(tempFolder(), 'vade');
    rmSync(at('bundle'), { recursive: true });
    renameSync(at('.vade'), elsewhere);
    symlinkSync(elsewhere, at('.vade'));
    expect((await session(repo.path).refused())[0]).toBe(5);
    rmSync(at('.vade'));
    mkdirSync(at('.vade'));
    for (const name of ['dev-signing-key.pem', 'dev-trust.json'])
      symlinkSync(join(elsewhere, name), at(`.vade/${name}`));
    expect((await session(repo.path).refused())[0]).toBe(5);
    expect(isCompiled(repo)).toBe(false);
  });
});
