import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { signerFromPem } from '../../../../compiler/trust/dsse.ts';
import { readRoot } from '../../../../compiler/trust/root-chain.ts';
import { vade } from '../../../support/cli.ts';
import { tempFolder } from '../../../support/folder.ts';
import { repository } from '../../../support/repository.ts';
import { failure } from '../../failing.ts';

describe('DESIGN §7 vade trust keygen', () => {
  test('vade trust keygen creates a key that only its owner can read, prints the public key, and overwrites none', async () => {
    const folder = tempFolder();
    const ran = await vade(['trust', 'keygen', '--out', 'ann.pem', '--owner', 'acme/human/ann'], folder);
    const file = join(folder, 'ann.pem');
    const { keyid, publicPem } = signerFromPem(readFileSync(file, 'utf8'));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(ran.envelope().data).toEqual({ effect: 'created', keyid, public: publicPem, owner: 'acme/human/ann' });
    expect(ran.stdout + ran.stderr).not.toContain('PRIVATE');
    expect(failure(await vade(['trust', 'keygen', '--out', 'ann.pem'], folder))).toEqual([6, 'ALREADY_EXISTS']);
    expect(signerFromPem(readFileSync(file, 'utf8')).keyid).toBe(keyid);
  });

  test('vade trust keygen refuses an owner that is not an entity, and a missing folder', async () => {
    const folder = tempFolder();
    const keygen = (...args: string[]) => vade(['trust', 'keygen', ...args], folder);
    expect(failure(await keygen('--out', 'a.pem', '--owner', 'ann'))).toEqual([3, 'ARGUMENT_INVALID']);
    expect(failure(await keygen('--out', 'none/a.pem'))).toEqual([1, 'OUTPUT_FAILED']);
    expect((await keygen('--out', 'a.pem', '--dry-run')).envelope().data['effect']).toBe('would_create');
    expect(existsSync(join(folder, 'a.pem'))).toBe(false);
  });

  test('vade trust keygen warns of a key in a working tree that git does not ignore, and of no other', async () => {
    const repo = repository().write('.gitignore', '*.key\n/.vade/\n').write('deep/a.md', 'x');
    const warned = async (...args: string[]) =>
      (await vade(['trust', 'keygen', ...args], repo.path)).envelope().warnings.map(({ code }) => code);
    expect(await warned('--out', 'ann.pem')).toEqual(['PRIVATE_FILE_UNIGNORED']);
    expect(await warned('--out', 'deep/ann.pem', '--dry-run')).toEqual(['PRIVATE_FILE_UNIGNORED']);
    for (const out of ['ann.key', 'deep/ann.key', '.git/ann.pem', join(tempFolder(), 'ann.pem')])
      expect([out, await warned('--out', out)]).toEqual([out, []]);
  });
});

describe('DESIGN §7 vade init --admin', () => {
  test('vade init --admin makes the founder an administrator, whose key approves', async () => {
    const folder = tempFolder();
    const init = (...args: string[]) => vade(['init', '--dir', 'hb', '--deployment', 'acme', ...args], folder);
    expect(failure(await init('--admin', 'ann'))).toEqual([3, 'ARGUMENT_INVALID']);
    expect(failure(await init('--admin', 'ajax/human/ann'))).toEqual([3, 'ARGUMENT_INVALID']);
    expect((await init('--admin', 'acme/human/ann')).code).toBe(0);
    const key = join(folder, 'hb/.vade/admin-key.pem');
    const { root } = readRoot(readFileSync(join(folder, 'hb/instructions/trust/1.json')));
    expect([statSync(key).mode & 0o777, root.admins]).toEqual([0o600, ['acme/human/ann']]);
    expect(root.keys[signerFromPem(readFileSync(key, 'utf8')).keyid]?.owner).toBe('acme/human/ann');
  });
});
