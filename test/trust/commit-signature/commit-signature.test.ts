import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readSigned, verifyCommitSignature } from '../../../compiler/trust/commit-signature/commit-signature.ts';
import { tempFolder } from '../../support/folder.ts';
import { repository, type Repository } from '../../support/repository.ts';
import * as keys from './keys.ts';
import { ADA, AT, BOB, commitKey, plainCommit, rawCommit, withSignature } from './keys.ts';

const isKeygenHere = keys.has('ssh-keygen', '-?');

/** A key pair made by ssh-keygen: the file git signs with, and the public line. */
function keygen(...type: string[]): { file: string; line: string; fingerprint: string } {
  const file = join(tempFolder(), 'key');
  execFileSync('ssh-keygen', ['-q', '-N', '', '-C', 'ada@example.com', '-f', file, ...type]);
  const [, fingerprint = ''] = execFileSync('ssh-keygen', ['-l', '-f', file], { encoding: 'utf8' }).split(' ');
  return { file, line: readFileSync(`${file}.pub`, 'utf8'), fingerprint };
}

/** Commits with a signature by a key file, and answers the raw commit. */
function signedCommit(repo: Repository, file: string, message: string | Buffer = 'sign\n\nwith a body\n'): Buffer {
  const text = join(tempFolder(), 'message');
  writeFileSync(text, message);
  const options = ['gpg.format=ssh', `user.signingkey=${file}`, 'i18n.commitEncoding=ISO-8859-1'];
  const config = options.flatMap((it) => ['-c', it]);
  repo.git(...config, 'commit', '--quiet', '-S', '--allow-empty', '--cleanup=verbatim', '-F', text);
  return rawCommit(repo);
}

/** The raw commit with `from`, which it must contain, replaced once. */
function edited(raw: Buffer, from: string, to: string): Buffer {
  expect(raw.toString('latin1')).toContain(from);
  return Buffer.from(raw.toString('latin1').replace(from, to), 'latin1');
}

const TYPES = ['ed25519', 'ecdsa -b 256', 'ecdsa -b 384', 'ecdsa -b 521', 'rsa -b 2048', 'rsa -b 3072'];

describe.skipIf(!isKeygenHere)('commits that git signs with an SSH key', () => {
  test.each(TYPES)('the signer of a commit is the owner of its %s key', async (type) => {
    const { file, line, fingerprint } = keygen('-t', ...type.split(' '));
    const other = keygen('-t', 'ed25519').line;
    const raw = signedCommit(repository(), file);
    const listed = [commitKey(other, { owner: BOB }), commitKey(line)];
    expect(await verifyCommitSignature(raw, listed, AT)).toEqual({ owner: ADA, key: fingerprint });
    expect(await verifyCommitSignature(raw, [commitKey(other)], AT)).toBeNull();
    expect(await verifyCommitSignature(raw, [], AT)).toBeNull();
    expect(await verifyCommitSignature(edited(raw, 'body', 'bode'), listed, AT)).toBeNull();
  });

  test('a signature does not count if one byte of the commit or of the signature changed', async () => {
    const { file, line } = keygen('-t', 'ed25519');
    const repo = repository();
    repo.commit();
    const raw = signedCommit(repo, file);
    const [tree, parent] = repo.git('rev-parse', 'HEAD^{tree}', 'HEAD^').split('\n');
    const flip = (id: string): string => (id.startsWith('0') ? '1' : '0') + id.slice(1);
    for (const [from, to] of [
      ['with a body', 'with a bodi'],
      [`tree ${tree!}`, `tree ${flip(tree!)}`],
      [`parent ${parent!}`, `parent ${flip(parent!)}`],
      ['author Ada', 'author Adb'],
      ['committer Ada', 'committer Adb'],
      [`${AT} +0000`, `${AT + 1} +0000`],
      ['\n\nsign', '\n\n\nsign'],
      ['\n -----END', 'A\n -----END'],
      ['U1NIU0lH', 'U1NIU0lI'],
    ] as const) {
      expect(await verifyCommitSignature(edited(raw, from, to), [commitKey(line)], AT)).toBeNull();
    }
    expect(await verifyCommitSignature(raw, [commitKey(line)], AT)).not.toBeNull();
  });

  test('a signature covers bytes that are not UTF-8, the encoding header and trailing blanks', async () => {
    const { file, line } = keygen('-t', 'ed25519');
    const raw = signedCommit(repository(), file, Buffer.from('Cómo   \n\n\n salir \n\n', 'latin1'));
    expect(raw.toString('latin1')).toContain('\nencoding ISO-8859-1\n');
    expect(await verifyCommitSignature(raw, [commitKey(line)], AT)).not.toBeNull();
    expect(await verifyCommitSignature(Buffer.from(raw.toString('utf8')), [commitKey(line)], AT)).toBeNull();
  });

  test('a signature in a repository of SHA-256 objects counts, under its own header', async () => {
    const { file, line } = keygen('-t', 'ed25519');
    const repo = repository();
    repo.remove('.git').git('init', '--quiet', '--object-format=sha256');
    const raw = signedCommit(repo, file);
    expect(raw.toString()).toContain('\ngpgsig-sha256 ');
    expect(await verifyCommitSignature(raw, [commitKey(line)], AT)).not.toBeNull();
  });

  test('a signature for another namespace does not count', async () => {
    const { file, line } = keygen('-t', 'ed25519');
    for (const [namespace, counts] of [
      ['git', true],
      ['file', false],
      ['git2', false],
    ] as const) {
      const options = ['-Y', 'sign', '-n', namespace, '-f', file];
      const armored = execFileSync('ssh-keygen', options, { input: plainCommit(), encoding: 'utf8', stdio: 'pipe' });
      const vouched = await verifyCommitSignature(withSignature(plainCommit(), armored), [commitKey(line)], AT);
      expect(vouched !== null).toBe(counts);
    }
  });

  test('a signed tag does not sign the commit that merges it', async () => {
    const { file, line } = keygen('-t', 'ed25519');
    const repo = repository();
    const sign = ['-c', 'gpg.format=ssh', '-c', `user.signingkey=${file}`];
    repo.commit();
    repo.git('checkout', '--quiet', '-b', 'side');
    repo.commit();
    repo.git(...sign, 'tag', '-s', 'v1', '-m', 'release');
    repo.git('checkout', '--quiet', 'main');
    repo.commit();
    repo.git('merge', '--quiet', '--no-ff', '--no-gpg-sign', 'v1', '-m', 'merge');
    const merge = rawCommit(repo);
    const listed = [commitKey(line)];
    expect(merge.toString()).toMatch(/\nmergetag object .*\n(?: .*\n)+ -----END SSH SIGNATURE-----\n/);
    expect(readSigned(merge)).toBeNull();
    expect(await verifyCommitSignature(merge, listed, AT)).toBeNull();
    const tag = execFileSync('git', ['cat-file', 'tag', 'v1'], { cwd: repo.path, encoding: 'utf8' });
    const [payload = '', rest = ''] = tag.split(/(?=-----BEGIN)/);
    expect(await verifyCommitSignature(withSignature(merge, rest), listed, AT)).toBeNull();
    expect(await verifyCommitSignature(withSignature(Buffer.from(payload), rest), listed, AT)).toBeNull();
    // the same merge signed: its own signature counts, whatever the tag carries
    repo.git(...sign, 'commit', '--amend', '--quiet', '--no-edit', '-S');
    const signedMerge = rawCommit(repo);
    expect(signedMerge.toString()).toContain('\nmergetag ');
    expect(await verifyCommitSignature(signedMerge, listed, AT)).not.toBeNull();
  });

  test('a signature in another commit or in a message does not count', async () => {
    const { file, line } = keygen('-t', 'ed25519');
    const repo = repository();
    const { payload, signature } = readSigned(signedCommit(repo, file))!;
    repo.write('a', 'b').commit('another');
    expect(await verifyCommitSignature(withSignature(rawCommit(repo), signature), [commitKey(line)], AT)).toBeNull();
    const fake = `fake\n\ngpgsig ${signature.trimEnd().replaceAll('\n', '\n ')}\n`;
    expect(await verifyCommitSignature(plainCommit(fake), [commitKey(line)], AT)).toBeNull();
    expect(await verifyCommitSignature(payload, [commitKey(line)], AT)).toBeNull();
    const sincere = signedCommit(repo, file, fake);
    expect(await verifyCommitSignature(sincere, [commitKey(line)], AT)).not.toBeNull();
  });

  test('a mutated commit never throws, and counts only if its signed bytes are the same', async () => {
    const { file, line } = keygen('-t', 'ed25519');
    const raw = signedCommit(repository(), file);
    const listed = [commitKey(line)];
    const { payload } = readSigned(raw)!;
    const place = fc.nat(raw.length);
    const mutation = fc.record({ from: place, to: place, by: fc.uint8Array({ maxLength: 12 }), at: place });
    const property = fc.asyncProperty(fc.array(mutation, { minLength: 1, maxLength: 3 }), async (mutations) => {
      const mutated = mutations.reduce<Buffer>((bytes, { from, to, by, at }) => {
        const moved = bytes.subarray(from, Math.min(to, from + 200));
        return Buffer.concat([bytes.subarray(0, at), by, moved, bytes.subarray(at + (to % 4))]);
      }, raw);
      if ((await verifyCommitSignature(mutated, listed, AT)) !== null)
        expect(readSigned(mutated)!.payload).toEqual(payload);
    });
    await fc.assert(property, { numRuns: 2000 });
  });
});
