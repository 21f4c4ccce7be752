import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { tempFolder } from '../support/folder.ts';

/** Packages that a machine without a C++ toolchain does not have. */
const COMPILED = ['better-sqlite3', 'hnswlib-node', '@xenova', 'onnxruntime-node', 'sharp'];
const DATA = ['capabilities/library', 'encoder/model', 'quality/paraphrase/lexicon.json', 'schema/json'];
const GIT = { GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'ada@example.com' };
const env = {
  ...{ PATH: process.env['PATH'], CI: 'true', GIT_COMMITTER_NAME: 'Ada', GIT_COMMITTER_EMAIL: 'ada@example.com' },
  ...GIT,
};
const TRUSTED = ['--trust', 'instructions/trust/1.json'];

let bare: string;
let handbook: string;

const run = (root: string, args: readonly string[], input = '') => {
  const main = join(root, 'dist/compiler/cli/main.js');
  const ran = spawnSync(process.execPath, [main, ...args], { cwd: handbook, env, input, encoding: 'utf8' });
  expect(ran.stdout + ran.stderr).not.toMatch(/^ {4}at /m);
  return ran;
};
const vade = (...args: string[]) => run(bare, args);

/** The built program with all packages but those that are compiled, and a handbook. */
beforeAll(() => {
  bare = tempFolder();
  for (const name of ['dist', 'package.json']) cpSync(name, join(bare, name), { recursive: true });
  for (const name of DATA) {
    mkdirSync(dirname(join(bare, 'compiler', name)), { recursive: true });
    symlinkSync(resolve('compiler', name), join(bare, 'compiler', name));
  }
  mkdirSync(join(bare, 'node_modules'));
  for (const name of readdirSync('node_modules').filter((it) => !COMPILED.includes(it)))
    symlinkSync(resolve('node_modules', name), join(bare, 'node_modules', name));
  handbook = tempFolder();
  expect(vade('init', '--dir', '.').status).toBe(0);
  const git = (...args: string[]) => spawnSync('git', args, { cwd: handbook, env });
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '--message', 'Start');
});

describe('without a C++ toolchain', () => {
  test('a handbook is checked, compiled for development and recalled, and the compile says what it leaves out', () => {
    expect(vade('lint').status).toBe(0);
    const compiled = vade('compile', '--dev');
    expect([compiled.status, compiled.stdout]).toEqual([0, expect.stringContaining('npm rebuild hnswlib-node')]);
    const recalled = vade('recall', '--dev', '--agent', 'assistant', '--intent', 'I am done for now');
    expect(recalled.stdout).toContain('wrap-up');
    expect(vade('key', 'create', '--dev', '--agent', 'assistant').status).toBe(0);
  });

  test('an agent is served over MCP for development, and the log says at the start that no audit is kept', () => {
    expect(vade('compile', '--dev').status).toBe(0);
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'host', version: '1' } };
    const hello = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
    const served = run(bare, ['mcp', '--dev', '--agent', 'assistant'], `${hello}\n`);
    expect(served.stdout).toContain('"vademecum"');
    expect(served.stderr).toMatch(/npm rebuild better-sqlite3.*no audit is kept/);
  });

  test('a signing compile is refused, with what to install', () => {
    const { status, stdout } = vade('compile', ...TRUSTED, '--key', '.vade/signing-key.pem', '--out', 'signed');
    expect([status, stdout]).toEqual([4, expect.stringContaining('graph_unavailable')]);
  });

  test('a signed bundle is recalled, and not served without an audit', () => {
    const sign = ['compile', ...TRUSTED, '--key', '.vade/signing-key.pem', '--out', 'signed'];
    expect(run(process.cwd(), sign).status).toBe(0);
    const signed = [...TRUSTED, '--bundle', 'signed'];
    expect(vade('recall', ...signed, '--agent', 'assistant', '--intent', 'I am done').stdout).toContain('wrap-up');
    for (const serve of [
      ['serve', '--port', '0'],
      ['mcp', '--agent', 'assistant'],
    ]) {
      const { status, stdout, stderr } = vade(...serve, ...signed);
      expect([status, stdout + stderr]).toEqual([4, expect.stringContaining('SQLITE_UNAVAILABLE')]);
      expect(stdout + stderr).toContain('npm rebuild better-sqlite3');
    }
  });

  test('what keeps its data in SQLite says so', () => {
    const { status, stderr } = vade('mcp', '--dev', '--agent', 'assistant', '--continuity', 'capsules');
    expect([status, stderr]).toEqual([4, expect.stringContaining('SQLITE_UNAVAILABLE')]);
  });
});
