import { chmodSync, existsSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { vade } from '../../../support/cli.ts';
import { repository, type Repository } from '../../../support/repository.ts';
import { failure } from '../../failing.ts';

const connect = (repo: Repository, ...args: string[]) => vade(['connect', ...args], repo.path);
const at = (repo: Repository, path: string) => readFileSync(join(repo.path, path), 'utf8');
const SETTINGS = '.claude/settings.json';

describe('vade connect', () => {
  test('shows what it would write, and writes it with --yes', async () => {
    const repo = repository();
    const { data } = (await connect(repo)).envelope();
    expect([data['effect'], existsSync(join(repo.path, SETTINGS))]).toEqual(['would_change', false]);
    expect((await connect(repo, '--yes')).envelope().data['effect']).toBe('changed');
    expect((await connect(repo, '--yes')).envelope().data['effect']).toBe('unchanged');
    expect(at(repo, '.mcp.json')).toContain('"vademecum"');
  });

  test('merges into settings that are there, and keeps their form and their mode', async () => {
    const repo = repository();
    repo.write(SETTINGS, '{\n\t"model": "opus"\n}\n');
    chmodSync(join(repo.path, SETTINGS), 0o600);
    await connect(repo, '--yes');
    expect(at(repo, SETTINGS)).toMatch(/^\{\n\t"model": "opus",\n\t"hooks": \{/);
    expect(statSync(join(repo.path, SETTINGS)).mode & 0o777).toBe(0o600);
  });

  test('connects several hosts, each by its own files', async () => {
    const repo = repository();
    const hosts = ['claude-code', 'codex', 'gemini-cli', 'cursor'].flatMap((it) => ['--host', it]);
    const { data } = (await connect(repo, ...hosts, '--yes')).envelope();
    expect((data['files'] as { file: string }[]).map(({ file }) => file)).toEqual([
      ...['.claude/settings.json', '.mcp.json', '.codex/hooks.json', '.codex/config.toml'],
      ...['.gemini/settings.json', '.cursor/hooks.json', '.cursor/mcp.json'],
    ]);
    const gemini = JSON.parse(at(repo, '.gemini/settings.json')) as object;
    expect(Object.keys(gemini)).toEqual(['hooks', 'mcpServers']);
  });

  test('says that a person has to trust the hooks of Codex', async () => {
    const { stdout } = await connect(repository(), '--host', 'codex', '--format', 'text');
    expect(stdout).toContain('/hooks');
  });

  test.each([
    ['with a comment', '{ // mine\n}'],
    ['with hooks of another shape', '{"hooks": {"SessionStart": "mine"}}'],
  ])('leaves settings %s as they are', async (_what, text) => {
    const repo = repository();
    repo.write(SETTINGS, text);
    expect(failure(await connect(repo, '--yes'))).toEqual([3, 'ARGUMENT_INVALID']);
    expect([at(repo, SETTINGS), existsSync(join(repo.path, '.mcp.json'))]).toEqual([text, false]);
  });

  test('refuses a host that it does not know, and a link in the place of settings', async () => {
    expect(failure(await connect(repository(), '--host', 'emacs'))).toEqual([3, 'ARGUMENT_INVALID']);
    const repo = repository();
    repo.write('elsewhere.json', '{}\n');
    symlinkSync('elsewhere.json', join(repo.path, '.mcp.json'));
    expect(failure(await connect(repo, '--yes'))).toEqual([3, 'ARGUMENT_INVALID']);
    expect([at(repo, 'elsewhere.json'), existsSync(join(repo.path, SETTINGS))]).toEqual(['{}\n', false]);
  });
});
