import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { vade, type Ran } from '../support/cli.ts';
import { tempFolder } from '../support/folder.ts';
import { repository, smallDeployment, type Repository } from '../support/repository.ts';

/** The code of a run; a server tells it in the last line of its log. */
const codeOf = ({ code, stdout, stderr }: Ran) =>
  code === 0 ? 'OK' : /"code":"([A-Z_]+)"/.exec(stdout === '' ? stderr : stdout)?.[1];

/** A deployment with development keys that its attacker committed. */
async function committed(...files: string[]): Promise<Repository> {
  const repo = smallDeployment();
  repo.commit();
  expect(codeOf(await vade(['compile', '--dev'], repo.path))).toBe('OK');
  for (const file of files) repo.git('add', '--force', file);
  repo.commit('with private files');
  return repo;
}

describe('SECURITY §4 what git tracks is not the user’s own', () => {
  test('a development key that came with the repository signs nothing', async () => {
    const repo = await committed('.vade/dev-signing-key.pem', '.vade/dev-trust.json');
    const { path } = repo;
    const COMMANDS = [
      ['compile', '--dev'],
      ['recall', '--dev', '--agent', 'cto', '--intent', 'x'],
      ['serve', '--dev', '--dry-run'],
      ['mcp', '--dev', '--agent', 'cto'],
      ['dev', '--port', '0'],
      ['key', 'create', '--dev', '--agent', 'cto', '--dry-run'],
    ];
    for (const words of COMMANDS) expect([words, codeOf(await vade(words, path))]).toEqual([words, 'TRUST_REQUIRED']);
    const lint = await vade(['lint'], path);
    expect(JSON.stringify(lint.envelope().error)).toContain('private_file_committed');
    expect(JSON.stringify((await vade(['lint', '--ref', 'HEAD'], path)).envelope().error)).toContain('dev-trust.json');
  });

  test('a key of one’s own, which git ignores, is used as before', async () => {
    const repo = smallDeployment();
    repo.commit();
    for (let i = 0; i < 2; i++) expect(codeOf(await vade(['compile', '--dev'], repo.path))).toBe('OK');
    expect((await vade(['lint'], repo.path)).stdout).not.toContain('private_file_committed');
  });

  test('bearer keys, an audit, models and signing keys that git tracks are refused by name', async () => {
    const REFUSED: readonly [file: string, words: string[]][] = [
      ['keys.json', ['key', 'list']],
      ['audit.db', ['serve', '--trust', 'root.json', '--models', 'm', '--cache', 'c']],
      ['.vade/models/x', ['compile', '--dry-run']],
      ['.vade/signing-key.pem', ['compile', '--key', '.vade/signing-key.pem', '--models', 'm']],
    ];
    for (const [file, words] of REFUSED) {
      const repo = smallDeployment();
      repo.commit();
      repo.write(file, '{}');
      repo.git('add', '--force', file);
      const { error } = (await vade(words, repo.path)).envelope();
      expect([error.code, error.context['path']]).toEqual(['ARGUMENT_INVALID', file]);
    }
  });

  test('a folder that git tracks as a link, or as a repository of its own, is refused as well', async () => {
    const repo = smallDeployment();
    symlinkSync(tempFolder(), join(repo.path, '.vade'));
    repo.git('add', '--force', '.vade');
    repo.commit();
    expect(codeOf(await vade(['compile', '--dev'], repo.path))).toBe('TRUST_REQUIRED');
    rmSync(join(repo.path, '.vade'));
    repo.git('rm', '--quiet', '--cached', '.vade');
    repo.commit();
    expect(codeOf(await vade(['compile', '--dev'], repo.path))).toBe('OK');
    repo.git('add', '--force', '.vade');
    const names = ['dev-signing-key.pem', 'dev-trust.json'];
    const inner = repository();
    for (const name of names) inner.write(name, 'x');
    inner.commit();
    rmSync(join(repo.path, '.vade'), { recursive: true });
    repo.git('rm', '--quiet', '-r', '--cached', '.vade');
    mkdirSync(join(repo.path, '.vade'));
    inner.git('clone', '--quiet', inner.path, join(repo.path, '.vade'));
    expect(codeOf(await vade(['compile', '--dev'], repo.path))).toBe('TRUST_REQUIRED');
  });

  test('a link in place of the development key is refused, also where git does not know it', async () => {
    const repo = await committed();
    const key = join(repo.path, '.vade/dev-signing-key.pem');
    const elsewhere = join(tempFolder(), 'key.pem');
    writeFileSync(elsewhere, 'x');
    rmSync(key);
    symlinkSync(elsewhere, key);
    expect(codeOf(await vade(['compile', '--dev'], repo.path))).toBe('TRUST_REQUIRED');
  });
});
