import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readSigned, verifyCommitSignature } from '../../../compiler/trust/commit-signature/commit-signature.ts';
import { AT, armor, commitKey, ed25519, plainCommit, withSignature } from './keys.ts';

const plain = plainCommit();
const key = ed25519();
const listed = [commitKey(key.line)];
const signed = withSignature(plain, key.sign(plain));

describe('commit objects', () => {
  const signature = key.sign(plain);
  const vouched = async (raw: Buffer) => (await verifyCommitSignature(raw, listed, AT)) !== null;

  test('a commit is split into its signature and the bytes around it', () => {
    expect(readSigned(signed)).toEqual({ payload: plain, signature });
    expect(readSigned(plain)).toBeNull();
  });

  test('a commit with two signature headers counts as unsigned, whatever their names', async () => {
    for (const header of ['gpgsig', 'gpgsig-sha256', 'gpgsig2', 'gpgsigned']) {
      expect(await vouched(withSignature(signed, signature, header))).toBe(false);
      expect(await vouched(withSignature(withSignature(plain, 'x', header), signature))).toBe(false);
    }
  });

  test('a commit whose signed bytes have a signature header counts as unsigned', async () => {
    const inner = plainCommit('hello\n', 'gpgsig x\n');
    const text = withSignature(plain, key.sign(inner)).toString();
    const outer = Buffer.from(text.replace('\n\nhello', '\ngpgsig x\n\nhello'));
    expect(outer.length).toBe(withSignature(inner, key.sign(inner)).length);
    expect(await vouched(outer)).toBe(false);
    expect(await vouched(withSignature(inner, key.sign(inner)))).toBe(false);
  });

  test('only the headers gpgsig and gpgsig-sha256 hold a signature', async () => {
    expect(await vouched(withSignature(plain, signature, 'gpgsig-sha256'))).toBe(true);
    expect(await vouched(withSignature(plain, signature, 'gpgsig-sha512'))).toBe(false);
    expect(await vouched(withSignature(plain, signature, 'mergetag'))).toBe(false);
  });

  test('a carriage return or a Unicode line separator does not end a header', async () => {
    const folded = signature.trimEnd().replaceAll('\n', '\n ');
    const hidden = plainCommit('hello\n', `x \rgpgsig ${folded}\n`);
    expect(await vouched(hidden)).toBe(false);
    expect(readSigned(hidden)).toBeNull();
    expect(readSigned(plainCommit('hello\n', 'x \u2028gpgsig y\n'))).toBeNull();
  });

  test.each([
    ['a tag', 'object 1\ntype commit\ntag v1\ntagger Ada\n\nrelease\n'],
    ['a commit without a tree', plain.toString().replace(/^tree.*\n/, '')],
    ['a commit without an author', plain.toString().replace(/author.*\n/, '')],
    ['a commit with its headers in another order', plain.toString().replace(/(author.*\n)(committer.*\n)/, '$2$1')],
    ['a commit without an end of headers', plain.toString().split('\n\n')[0]!],
  ])('%s counts as unsigned', async (_, text) => {
    const bytes = Buffer.from(text);
    const armored = key.sign(bytes);
    expect(await vouched(withSignature(bytes, armored))).toBe(false);
  });

  test('a commit that is too large, or has too large a signature, counts as unsigned', async () => {
    const padded = armor(Buffer.alloc(64 * 1024));
    const large = plainCommit('x'.repeat(1024 * 1024 - plainCommit('').length));
    const huge = plainCommit(`${'x'.repeat(1024 * 1024)}\n`);
    expect(readSigned(withSignature(plain, padded))).toBeNull();
    expect(await vouched(withSignature(large, key.sign(large)))).toBe(false);
    expect(await vouched(withSignature(huge, key.sign(huge)))).toBe(false);
  });

  test('a commit is read up to 1 MiB, and its signature up to 64 KiB', () => {
    const isRead = (raw: Buffer) => readSigned(raw) !== null;
    const header = (length: number) => withSignature(plain, 'x'.repeat(length - 'gpgsig \n'.length));
    expect([64 * 1024, 64 * 1024 + 1].map((length) => isRead(header(length)))).toEqual([true, false]);
    const least = withSignature(plainCommit(''), signature).length;
    const whole = (length: number) => withSignature(plainCommit('x'.repeat(length - least)), signature);
    expect([1024 * 1024, 1024 * 1024 + 1].map((length) => isRead(whole(length)))).toEqual([true, false]);
  });

  test.each([
    ['text before it', `x\n${signature}`],
    ['text after it', `${signature}x`],
    ['another signature after it', signature + signature],
    ['carriage returns', signature.replaceAll('\n', '\r\n')],
    ['another label', signature.replaceAll('SSH SIGNATURE', 'SSH MESSAGE')],
    ['no end', signature.replace(/-----END.*/, '')],
    ['no content', '-----BEGIN SSH SIGNATURE-----\n\n-----END SSH SIGNATURE-----\n'],
    ['no bytes at all', ''],
  ])('a signature with %s does not count', async (_, armored) => {
    expect(await vouched(withSignature(plain, armored))).toBe(false);
  });

  test('no bytes make the check of a signature throw', async () => {
    const blob = fc.uint8Array({ maxLength: 300 }).map((bytes) => armor(Buffer.from(bytes)));
    const headed = fc.uint8Array({ maxLength: 200 }).map((it) => armor(Buffer.from([...Buffer.from('SSHSIG'), ...it])));
    const raw = fc.oneof(
      fc.uint8Array({ maxLength: 500 }).map((bytes) => Buffer.from(bytes)),
      fc.oneof(blob, headed, fc.string()).map((armored) => withSignature(plain, armored)),
    );
    await fc.assert(fc.asyncProperty(raw, async (it) => !(await vouched(it))));
  });
});
