import { describe, expect, test } from 'vitest';
import type { CommitKey } from '../../../compiler/schema/source/trust-root.ts';
import { verifyCommitSignature } from '../../../compiler/trust/commit-signature/commit-signature.ts';
import {
  ADA,
  AT,
  BOB,
  commitKey,
  ecdsaAuthenticator,
  ed25519,
  ed25519Authenticator,
  ecdsa,
  plainCommit,
  rsa,
  ssh,
  withSignature,
  type SshKey,
  type Twist,
} from './keys.ts';

const plain = plainCommit();
const key = ed25519();
const listed = [commitKey(key.line)];
const signed = withSignature(plain, key.sign(plain));

const instant = (seconds: number) => new Date(seconds * 1000).toISOString().replace('.000', '');

async function counts(by: SshKey, twist: Twist = {}, keys: readonly CommitKey[] = [commitKey(by.line)]) {
  return (await verifyCommitSignature(withSignature(plain, by.sign(plain, twist)), keys, AT)) !== null;
}

describe('fields of an SSH signature', () => {
  test('a signature with the right fields counts, with SHA-512 or SHA-256', async () => {
    expect(await counts(key)).toBe(true);
    expect(await counts(key, { hash: 'sha256' })).toBe(true);
  });

  test.each<[string, Twist]>([
    ['another magic', { magic: 'SSHSIH' }],
    ['another version', { version: 2 }],
    ['another namespace', { namespace: 'file' }],
    ['no namespace', { namespace: '' }],
    ['a longer namespace', { namespace: 'git\0' }],
    ['a reserved field', { reserved: 'x' }],
    ['an unsigned reserved field', { claimed: 'x' }],
    ['a weak hash', { hash: 'sha1' }],
    ['an unusual hash', { hash: 'sha384' }],
    ['a foreign format', { format: 'rsa-sha2-512' }],
    ['a made-up format', { format: 'constructor' }],
    ['bytes after it', { trailing: '\0' }],
    ['bytes after its inner signature', { inner: '\0' }],
    ['another public key', { publicKey: ed25519().blob }],
    ['no public key', { publicKey: Buffer.alloc(0) }],
  ])('a signature with %s does not count', async (_, twist) => {
    expect(await counts(key, twist)).toBe(false);
  });

  test('a signature that names a public key other than its own does not count', async () => {
    expect(await counts(ed25519(), { publicKey: key.blob }, listed)).toBe(false);
  });

  test('an RSA signature needs SHA-2 and a key of 2048 bits', async () => {
    expect(await counts(rsa(2048, 'sha256'))).toBe(true);
    expect(await counts(rsa(2048, 'sha512'))).toBe(true);
    expect(await counts(rsa(2048, 'sha1'), { format: 'ssh-rsa' })).toBe(false);
    expect(await counts(rsa(2048, 'sha1'), { format: 'rsa-sha2-512' })).toBe(false);
    expect(await counts(rsa(2048, 'sha256'), { format: 'ssh-rsa' })).toBe(false);
    expect(await counts(rsa(1024, 'sha256'))).toBe(false);
  });

  test.each([
    ['256', 'sha256'],
    ['384', 'sha384'],
    ['521', 'sha512'],
  ])('an ECDSA signature over nistp%s counts, but not with padded numbers or with SHA-1', async (curve, hash) => {
    const by = ecdsa(curve, hash);
    for (let i = 0; i < 100; i++) expect(await counts(by)).toBe(true);
    expect(await counts(by, { mpints: '\0' })).toBe(false);
    expect(await counts(ecdsa(curve, 'sha1'))).toBe(false);
  });

  test('an ECDSA signature with a negative number does not count', async () => {
    expect(await counts(ecdsa('256', 'sha256'), { negative: true })).toBe(false);
  });

  // without this, the format of another algorithm would let a key that is too weak for its own sign
  test('the format of a signature must be one for the type of the key', async () => {
    expect(await counts(rsa(1024, 'sha256'), { format: 'ssh-ed25519' })).toBe(false);
    expect(await counts(rsa(2048, 'sha256'), { format: 'ssh-ed25519' })).toBe(false);
  });

  test.each([
    ['Ed25519', ed25519Authenticator()],
    ['ECDSA', ecdsaAuthenticator()],
  ])('a security key’s %s signature needs the user’s presence', async (_, token) => {
    expect(await counts(token)).toBe(true);
    expect(await counts(token, { flags: 5 })).toBe(true);
    expect(await counts(token, { flags: 0 })).toBe(false);
    expect(await counts(token, { flags: 4 })).toBe(false);
    expect(await counts(token, { format: 'ssh-ed25519' })).toBe(false);
    expect(await counts(key, { format: 'sk-ssh-ed25519@openssh.com' })).toBe(false);
  });
});

describe('commit keys of the trust root', () => {
  test('a commit key counts up to the second of its expiry', async () => {
    const until = (at: number) => [commitKey(key.line, { expires: instant(at) })];
    expect(await verifyCommitSignature(signed, until(AT), AT)).not.toBeNull();
    expect(await verifyCommitSignature(signed, until(AT - 1), AT)).toBeNull();
    expect(await verifyCommitSignature(signed, until(AT + 1), AT)).not.toBeNull();
  });

  test('an expired entry does not hide a valid entry with the same key', async () => {
    const both = [commitKey(key.line, { expires: instant(AT - 1) }), commitKey(key.line, { owner: BOB })];
    expect(await verifyCommitSignature(signed, both, AT)).toMatchObject({ owner: BOB });
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, 1e15, -1e15])(
    'no key counts for a commit at the time %d',
    async (at) => {
      expect(await verifyCommitSignature(signed, listed, at)).toBeNull();
    },
  );

  test('a commit key that cannot be read is skipped', async () => {
    const [type = '', base64 = ''] = key.line.split(' ');
    const broken = ['', 'ssh-ed25519', 'ssh-ed25519 !', `ssh-rsa ${base64}`, `${type} AAAA`, `x ${base64}`, '\0 \0 \0'];
    const keys = broken.map((line) => commitKey(line, { owner: BOB }));
    expect(await verifyCommitSignature(signed, keys, AT)).toBeNull();
    expect(await verifyCommitSignature(signed, [...keys, ...listed], AT)).toMatchObject({ owner: ADA });
  });

  test('an SSH key that is listed as OpenPGP does not count', async () => {
    expect(await verifyCommitSignature(signed, [commitKey(key.line, { kind: 'openpgp' })], AT)).toBeNull();
  });

  test('a key of an unknown type or with an invalid point does not count', async () => {
    for (const blob of [ssh('ssh-ed448'), Buffer.concat(['ecdsa-sha2-nistp256', 'nistp256', '\x04'].map(ssh))]) {
      const type = blob.subarray(4, 4 + blob.readUInt32BE()).toString();
      const armored = key.sign(plain, { publicKey: blob, format: type });
      const keys = [commitKey(`${type} ${blob.toString('base64')}`)];
      expect(await verifyCommitSignature(withSignature(plain, armored), keys, AT)).toBeNull();
    }
  });
});
