import { execFileSync, spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { TrustRoot } from '../../compiler/schema/source/trust-root.ts';
import { openEnvelope, peekPayload, signEnvelope, signerFromPem, type Signer } from '../../compiler/trust/dsse.ts';
import { foundRoot, newSigningKey } from '../../compiler/trust/root-chain.ts';
import { handbook } from '../io/handbook.ts';
import { publish } from '../io/published.ts';
import { tempFolder } from '../support/folder.ts';

const TYPE = 'application/vnd.test+json';
const unverified = expect.objectContaining({ code: 'bundle_unverified' }) as Error;
const [ada, grace, eve] = [1, 2, 3].map(() => signerFromPem(newSigningKey())) as [Signer, Signer, Signer];

/** A root in which `signers` sign bundles, `threshold` of them each. */
function rootOf(signers: readonly Signer[], threshold: number): TrustRoot {
  const { root } = foundRoot({ root: ada, bundle: ada }, { deployment: 'acme', admins: [] });
  const keys = Object.fromEntries(signers.map((it) => [it.keyid, { public: it.publicPem }]));
  const bundle = { keyids: signers.map((it) => it.keyid), threshold };
  return { ...root, keys: { ...root.keys, ...keys }, roles: { ...root.roles, bundle } };
}

const open = (envelope: Buffer, root: TrustRoot, type = TYPE) =>
  openEnvelope(envelope, type, root, root.roles.bundle, null);
const seal = (...signers: Signer[]) => signEnvelope(TYPE, Buffer.from('{"a":1}'), signers);

interface Envelope {
  payload: string;
  payloadType: string;
  signatures: { keyid: string; sig: string }[];
}
const parse = (envelope: Buffer) => JSON.parse(envelope.toString('utf8')) as Envelope;
const edited = (envelope: Buffer, change: (it: Envelope) => object) =>
  Buffer.from(JSON.stringify({ ...parse(envelope), ...change(parse(envelope)) }));

/** Verifies one signature of an envelope with openssl and nothing of ours. */
function openssl(envelope: Buffer, publicPem: string): string {
  const folder = tempFolder();
  const { payload, payloadType, signatures } = parse(envelope);
  const body = Buffer.from(payload, 'base64');
  const head = `DSSEv1 ${Buffer.byteLength(payloadType)} ${payloadType} ${body.length} `;
  writeFileSync(join(folder, 'message'), Buffer.concat([Buffer.from(head), body]));
  writeFileSync(join(folder, 'signature'), Buffer.from(signatures[0]?.sig ?? '', 'base64'));
  writeFileSync(join(folder, 'key.pem'), publicPem);
  const args = [
    'pkeyutl',
    '-verify',
    '-rawin',
    '-pubin',
    '-inkey',
    'key.pem',
    '-in',
    'message',
    '-sigfile',
    'signature',
  ];
  const { stdout, status } = spawnSync('openssl', args, { cwd: folder, encoding: 'utf8' });
  return `${String(status)} ${stdout.trim()}`;
}

describe('DESIGN §7 DSSE envelopes verify with openssl alone', () => {
  test('openssl verifies our envelope, but not with another key or another payload', () => {
    const envelope = seal(ada);
    expect(openssl(envelope, ada.publicPem)).toBe('0 Signature Verified Successfully');
    expect(openssl(envelope, eve.publicPem)).toMatch(/^1 /);
    const other = edited(envelope, () => ({ payload: Buffer.from('{"a":2}').toString('base64') }));
    expect(openssl(other, ada.publicPem)).toMatch(/^1 /);
  });

  test('openssl verifies the root and every garden of a bundle', async () => {
    const { bundle, root, trust, file } = await publish(handbook().path);
    for (const { garden } of root.gardens) {
      expect(file(garden, 'facts.json').length).toBeGreaterThan(0);
      expect(openssl(bundle.envelope(garden)!.envelope, trust.signer.publicPem)).toMatch(/^0 /);
    }
    expect(openssl(trust.root.envelope, trust.signer.publicPem)).toMatch(/^0 /);
  });

  test('a key made by openssl signs envelopes that we verify', () => {
    const pem = execFileSync('openssl', ['genpkey', '-algorithm', 'ed25519'], { encoding: 'utf8' });
    const signer = signerFromPem(pem);
    expect(open(seal(signer), rootOf([signer], 1)).toString()).toBe('{"a":1}');
  });
});

describe('DESIGN §7 a threshold of keys', () => {
  test('a threshold is met by as many different keys of the role', () => {
    expect(open(seal(ada, grace), rootOf([ada, grace], 2)).toString()).toBe('{"a":1}');
    expect(() => open(seal(ada), rootOf([ada, grace], 2))).toThrow(unverified);
  });

  test('a threshold counts a key once, even if it signed several times', () => {
    const root = rootOf([ada, grace], 2);
    expect(() => open(seal(ada, ada), root)).toThrow(unverified);
    const twice = edited(seal(ada, ada), ({ signatures }) => ({ signatures: [...signatures, ...signatures] }));
    expect(() => open(twice, root)).toThrow(unverified);
  });

  test('a threshold counts a key once, even if the role names it several times', () => {
    const root = rootOf([ada], 2);
    const named = { ...root, roles: { ...root.roles, bundle: { keyids: [ada.keyid, ada.keyid], threshold: 2 } } };
    expect(() => open(seal(ada, ada), named)).toThrow(unverified);
  });

  test('a threshold does not count a signature under another key’s ID', () => {
    const forged = edited(seal(ada, eve), ({ signatures: [mine, other] }) => ({
      signatures: [mine, { ...other, keyid: grace.keyid }],
    }));
    expect(() => open(forged, rootOf([ada, grace], 2))).toThrow(unverified);
  });

  test('a threshold does not count keys of the root that the role does not name', () => {
    const root = rootOf([ada, grace], 2);
    const narrow = { ...root, roles: { ...root.roles, bundle: { keyids: [ada.keyid], threshold: 1 } } };
    expect(() => open(seal(grace), narrow)).toThrow(unverified);
  });

  test('signatures of unknown keys do not prevent a threshold from being met', () => {
    expect(open(seal(eve, ada), rootOf([ada], 1)).toString()).toBe('{"a":1}');
  });

  test('a threshold is not met if the root has a key under another ID', () => {
    const root = rootOf([ada], 1);
    const lying = { ...root, keys: { [ada.keyid]: { public: eve.publicPem } } };
    const forged = edited(seal(eve), ({ signatures: [it] }) => ({ signatures: [{ ...it, keyid: ada.keyid }] }));
    expect(() => open(forged, lying)).toThrow(unverified);
  });
});

describe('DESIGN §7 malformed and altered envelopes', () => {
  test('another payload type is refused, both in the envelope and as the expected type', () => {
    const root = rootOf([ada], 1);
    expect(() => open(seal(ada), root, 'application/other')).toThrow(unverified);
    const relabelled = edited(seal(ada), () => ({ payloadType: 'application/other' }));
    expect(() => open(relabelled, root, 'application/other')).toThrow(unverified);
    expect(() => peekPayload(relabelled, TYPE)).toThrow(unverified);
  });

  test.each([
    ['no JSON', 'DSSE'],
    ['another shape', '{}'],
    ['an extra member', JSON.stringify({ ...parse(seal(ada)), extra: 1 })],
    ['no signature', JSON.stringify({ ...parse(seal(ada)), signatures: [] })],
    [
      'too many signatures',
      JSON.stringify({ ...parse(seal(ada)), signatures: Array(65).fill(parse(seal(ada)).signatures[0]) }),
    ],
    ['no base64', JSON.stringify({ ...parse(seal(ada)), payload: '***' })],
  ])('an envelope with %s is refused', (_, text) => {
    expect(() => open(Buffer.from(text), rootOf([ada], 1))).toThrow(unverified);
  });

  test('a change of any bit of payload or signature is refused', () => {
    const root = rootOf([ada], 1);
    const { payload, signatures } = parse(seal(ada));
    const flip = (base64: string, bit: number) => {
      const bytes = Buffer.from(base64, 'base64');
      const at = (bit >> 3) % bytes.length;
      bytes[at] = bytes[at]! ^ (1 << (bit & 7));
      return bytes.toString('base64');
    };
    fc.assert(
      fc.property(fc.nat(1000), fc.boolean(), (bit, inPayload) => {
        const change = inPayload
          ? { payload: flip(payload, bit) }
          : { signatures: [{ ...signatures[0], sig: flip(signatures[0]!.sig, bit) }] };
        expect(() =>
          open(
            edited(seal(ada), () => change),
            root,
          ),
        ).toThrow(unverified);
      }),
    );
  });

  test('the same payload and keys give an envelope of the same bytes', () => {
    expect(seal(ada, grace)).toEqual(seal(ada, grace));
  });
});

describe('DESIGN §7 a signing key', () => {
  test.each([
    ['RSA', generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' })],
    ['P-256', generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' })],
    ['a public key', ada.publicPem],
    ['nothing', ''],
    ['half a key', newSigningKey().slice(0, 60)],
  ])('a signing key that is %s is signing_key_required, and the error does not quote it', (_, pem) => {
    const tried = () => signerFromPem(pem.toString());
    expect(tried).toThrow(expect.objectContaining({ code: 'signing_key_required' }) as Error);
    const body = pem.toString().split('\n')[1]?.trim();
    if (body) expect(tried).not.toThrow(body);
  });
});
