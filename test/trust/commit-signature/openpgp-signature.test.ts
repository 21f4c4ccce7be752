import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { createMessage, generateKey, sign } from 'openpgp';
import { afterAll, describe, expect, test } from 'vitest';
import { readSigned, verifyCommitSignature } from '../../../compiler/trust/commit-signature/commit-signature.ts';
import { Gnupg } from './gnupg.ts';
import { ADA, AT, BOB, commitKey, has, plainCommit, withSignature } from './keys.ts';

const DAY = 86_400;
const plain = plainCommit();
const isGpgHere = has('gpg', '--version');

describe.skipIf(!isGpgHere)('commits that git signs with GnuPG', () => {
  const gpg = new Gnupg();

  afterAll(() => {
    gpg.end();
  });

  test.each(['ed25519', 'rsa2048', 'nistp256'])(
    'the signer of a commit is the owner of its OpenPGP %s key',
    async (algorithm) => {
      const fingerprint = gpg.make(AT - DAY, algorithm, algorithm);
      gpg.make(AT - DAY, `not-${algorithm}`, 'ed25519');
      const raw = gpg.commit(algorithm);
      const other = commitKey(gpg.publicKey(`not-${algorithm}`), { owner: BOB });
      const listed = [other, commitKey(gpg.publicKey(algorithm))];
      expect(await verifyCommitSignature(raw, listed, AT)).toEqual({ owner: ADA, key: fingerprint });
      expect(await verifyCommitSignature(raw, [other], AT)).toBeNull();
      const changed = Buffer.from(raw.toString('latin1').replace('\n\nsign', '\n\nsigm'), 'latin1');
      expect(await verifyCommitSignature(changed, listed, AT)).toBeNull();
      const moved = withSignature(plain, readSigned(raw)!.signature);
      expect(await verifyCommitSignature(moved, listed, AT)).toBeNull();
    },
  );

  test('a signature by a subkey belongs to the primary key', async () => {
    const fingerprint = gpg.make(AT - DAY, 'sub', 'ed25519');
    gpg.run(AT - DAY, `--quick-add-key ${fingerprint} ed25519 sign never`);
    expect(await verifyCommitSignature(gpg.commit('sub'), [commitKey(gpg.publicKey('sub'))], AT)).toMatchObject({
      key: fingerprint,
    });
  });

  test('an OpenPGP key counts from its creation to its expiry, and up to the expiry of its entry', async () => {
    gpg.make(AT - DAY, 'short', 'ed25519', '10d');
    const raw = gpg.commit('short');
    const key = commitKey(gpg.publicKey('short'));
    expect(await verifyCommitSignature(raw, [key], AT)).not.toBeNull();
    expect(await verifyCommitSignature(raw, [key], AT - 2 * DAY)).toBeNull();
    expect(await verifyCommitSignature(raw, [key], AT + 10 * DAY)).toBeNull();
    expect(
      await verifyCommitSignature(raw, [{ ...key, expires: new Date((AT - 1) * 1000).toISOString() }], AT),
    ).toBeNull();
  });

  test('a signature made after the key expired does not count, whatever time the commit has', async () => {
    const fingerprint = gpg.make(AT - DAY, 'late', 'ed25519');
    const raw = gpg.commit('late');
    gpg.run(AT - DAY / 2, `--quick-set-expire ${fingerprint} seconds=3600`);
    const key = commitKey(gpg.publicKey('late'));
    expect(await verifyCommitSignature(raw, [key], AT)).toBeNull();
    expect(await verifyCommitSignature(raw, [key], AT - DAY / 2 + 60)).toBeNull();
    expect(await verifyCommitSignature(raw, [key], AT - DAY + 60)).toBeNull();
  });

  test('a signature by a revoked key does not count', async () => {
    const fingerprint = gpg.make(AT - DAY, 'gone', 'ed25519');
    const raw = gpg.commit('gone');
    expect(await verifyCommitSignature(raw, [commitKey(gpg.publicKey('gone'))], AT)).not.toBeNull();
    const folder = join(gpg.home, 'openpgp-revocs.d');
    const file = readdirSync(folder).find((it) => it.startsWith(fingerprint))!;
    gpg.run(AT, '--import', readFileSync(join(folder, file), 'utf8').replace(':-----BEGIN', '-----BEGIN'));
    expect(await verifyCommitSignature(raw, [commitKey(gpg.publicKey('gone'))], AT)).toBeNull();
  });

  test('an extended key counts for earlier commits too', async () => {
    const fingerprint = gpg.make(AT - DAY, 'long', 'ed25519', '10d');
    const raw = gpg.commit('long');
    gpg.run(AT + 5 * DAY, `--quick-set-expire ${fingerprint} 100d`);
    const key = commitKey(gpg.publicKey('long'));
    expect(await verifyCommitSignature(raw, [key], AT)).toMatchObject({ key: fingerprint });
    expect(await verifyCommitSignature(raw, [key], AT + 20 * DAY)).toMatchObject({ key: fingerprint });
    expect(await verifyCommitSignature(raw, [key], AT - 2 * DAY)).toBeNull();
    expect(await verifyCommitSignature(raw, [key], AT + 200 * DAY)).toBeNull();
  });

  test('a signature with a wrong type, a weak hash, two signers, a notation or a message around it does not count', async () => {
    gpg.make(AT - DAY, 'odd', 'rsa2048');
    gpg.make(AT - DAY, 'even', 'rsa2048');
    const keys = ['odd', 'even'].map((it) => commitKey(gpg.publicKey(it)));
    const vouched = async (raw: Buffer) => (await verifyCommitSignature(raw, keys, AT)) !== null;
    expect(await vouched(gpg.signed('-u odd@'))).toBe(true);
    expect(await vouched(gpg.signed('-u odd@ --digest-algo SHA512'))).toBe(true);
    expect(await vouched(gpg.signed('-u odd@ --textmode'))).toBe(false);
    expect(await vouched(gpg.signed('-u odd@ --digest-algo SHA1'))).toBe(false);
    expect(await vouched(gpg.signed('-u odd@ --digest-algo SHA224'))).toBe(false);
    expect(await vouched(gpg.signed('-u odd@ -u even@'))).toBe(false);
    expect(await vouched(gpg.signed('-u odd@ --sig-notation !a@example.com=b'))).toBe(false);
    const message = gpg.run(AT, '--armor --sign -u odd@', plain);
    expect(await vouched(withSignature(plain, message))).toBe(false);
    expect(await vouched(withSignature(plain, message.replaceAll('PGP MESSAGE', 'PGP SIGNATURE')))).toBe(false);
    const publicKey = gpg.publicKey('odd').replaceAll('PUBLIC KEY BLOCK', 'SIGNATURE');
    expect(await vouched(withSignature(plain, publicKey))).toBe(false);
  });

  test('a mutated commit never throws, and counts only if its signed bytes are the same', async () => {
    gpg.make(AT - DAY, 'fuzz', 'ed25519');
    const raw = gpg.commit('fuzz');
    const keys = [commitKey(gpg.publicKey('fuzz'))];
    const { payload } = readSigned(raw)!;
    const mutation = fc.tuple(fc.nat(raw.length), fc.uint8Array({ maxLength: 3 }), fc.nat(3));
    const property = fc.asyncProperty(mutation, async ([at, by, cut]) => {
      const mutated = Buffer.concat([raw.subarray(0, at), by, raw.subarray(at + cut)]);
      if ((await verifyCommitSignature(mutated, keys, AT)) !== null)
        expect(readSigned(mutated)!.payload).toEqual(payload);
    });
    await fc.assert(property, { numRuns: 500 });
  });
});

describe('generated OpenPGP signatures', () => {
  const armored = (bytes: Uint8Array): string =>
    `-----BEGIN PGP SIGNATURE-----\n\n${Buffer.from(bytes).toString('base64')}\n-----END PGP SIGNATURE-----\n`;

  async function signer(made = AT - DAY) {
    const date = new Date(made * 1000);
    const { privateKey } = await generateKey({ userIDs: { email: 'ada@example.com' }, date, format: 'object' });
    const signed = { message: await createMessage({ binary: new Uint8Array(plain) }), signingKeys: privateKey };
    const options = { detached: true, format: 'binary', date: new Date(AT * 1000) } as const;
    const signature = (await sign({ ...signed, ...options })) as Uint8Array;
    return { key: commitKey(privateKey.toPublic().armor()), signature };
  }

  test('an OpenPGP signature counts for its own key only', async () => {
    const [ada, bob] = [await signer(), await signer()];
    const raw = withSignature(plain, armored(ada.signature));
    expect(await verifyCommitSignature(raw, [bob.key, ada.key], AT)).toMatchObject({ owner: ADA });
    expect(await verifyCommitSignature(raw, [bob.key], AT)).toBeNull();
    const flipped = Buffer.from(ada.signature);
    flipped[flipped.length - 1]! ^= 1;
    expect(await verifyCommitSignature(withSignature(plain, armored(flipped)), [ada.key], AT)).toBeNull();
  });

  test('an OpenPGP key counts from the very second in which it was made', async () => {
    const { key, signature } = await signer(AT);
    const raw = withSignature(plain, armored(signature));
    expect(await verifyCommitSignature(raw, [key], AT)).toMatchObject({ owner: ADA });
    expect(await verifyCommitSignature(raw, [key], AT - 1)).toBeNull();
  });

  test('an OpenPGP signature counts if other listed keys cannot be read', async () => {
    const { key, signature } = await signer();
    const broken = ['', '-----BEGIN PGP PUBLIC KEY BLOCK-----', armored(signature)].map((it) =>
      commitKey(it, { kind: 'openpgp', owner: BOB }),
    );
    const raw = withSignature(plain, armored(signature));
    expect(await verifyCommitSignature(raw, broken, AT)).toBeNull();
    expect(await verifyCommitSignature(raw, [...broken, key], AT)).toMatchObject({ owner: ADA });
  });

  test('no bytes in a signature make the check throw, and only the complete signature counts', async () => {
    const { key, signature } = await signer();
    const packet = fc
      .tuple(fc.nat(255), fc.uint8Array({ maxLength: 60 }))
      .map(([tag, body]) => [tag, body.length, ...body]);
    const bytes = fc.oneof(
      packet,
      fc.nat(signature.length).map((it) => [...signature.subarray(0, it)]),
    );
    const property = fc.asyncProperty(bytes, async (it) => {
      const isWhole = it.length === signature.length;
      const vouched = await verifyCommitSignature(withSignature(plain, armored(Uint8Array.from(it))), [key], AT);
      expect(vouched !== null).toBe(isWhole);
    });
    await fc.assert(property, { numRuns: 300 });
  });
});
