import { generateKeyPairSync } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { CHECKPOINT_TYPE } from '../../../../compiler/schema/audit/checkpoint.ts';
import { canonicalBytes } from '../../../../compiler/trust/canonical.ts';
import { signEnvelope, signerFromPem } from '../../../../compiler/trust/dsse.ts';
import { newSigningKey } from '../../../../compiler/trust/root-chain.ts';
import {
  auditKeys,
  checkpointSigner,
  checkpointSignerOf,
  envelopeVerifierOf,
  knownSigner,
  readStateFile,
} from '../../../../server/audit/chain/keys.ts';
import { tempFolder } from '../../../support/folder.ts';
import { newSigner } from '../../../support/staff.ts';

let state: string;

beforeEach(() => {
  state = join(tempFolder(), 'audit');
});

const code = (wanted: string) => expect.objectContaining({ code: wanted }) as Error;
const modeOf = (path: string) => statSync(path).mode & 0o777;
const [LONG, OTHER] = ['0123456789abcdef', 'fedcba9876543210'] as const;

describe('the keys of audit tokens', () => {
  test('are one of 32 random bytes in a private file, where none is given', () => {
    const [own, ...others] = auditKeys(undefined, state);
    expect([own.toString(), others]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), []]);
    expect([readFileSync(`${state}.key`), modeOf(`${state}.key`)]).toEqual([own, 0o600]);
    expect(auditKeys('', state)).toEqual([own]);
    expect(auditKeys(undefined, `${state}2`)).not.toEqual([own]);
  });

  test('are made again where a crash left an empty file', () => {
    writeFileSync(`${state}.key`, '');
    expect(auditKeys(undefined, state)[0].toString()).toMatch(/^[0-9a-f]{64}$/);
  });

  test('are those that are given, the first one issuing, and then no file is written', () => {
    expect(auditKeys(` ${LONG} , ${OTHER}`, state).map(String)).toEqual([LONG, OTHER]);
    expect(existsSync(`${state}.key`)).toBe(false);
  });

  test('have sixteen characters at least, given or read', () => {
    for (const given of [LONG.slice(1), `${LONG},`, `${LONG},short`, `short,${LONG}`, `  ${LONG.slice(1)}`]) {
      expect(() => auditKeys(given, state)).toThrow(code('argument_invalid'));
    }
    writeFileSync(`${state}.key`, LONG);
    expect(auditKeys(undefined, state).map(String)).toEqual([LONG]);
    writeFileSync(`${state}.key`, LONG.slice(1));
    expect(() => auditKeys(undefined, state)).toThrow(code('argument_invalid'));
  });

  test('with a comma are one key in a file', () => {
    writeFileSync(`${state}.key`, `${LONG}, ${OTHER}`);
    expect(auditKeys(undefined, state).map(String)).toEqual([`${LONG}, ${OTHER}`]);
  });

  test('cannot be where their file cannot', () => {
    expect(() => auditKeys(undefined, join(state, 'missing'))).toThrow(code('output_failed'));
    mkdirSync(`${state}.key`);
    expect(() => auditKeys(undefined, state)).toThrow(code('output_failed'));
  });
});

describe('the key of checkpoints', () => {
  const publicKeys = () => readFileSync(`${state}.checkpoint.pub`, 'utf8');

  test('is made once, in a private file, and its public half is kept beside it', () => {
    const signer = checkpointSigner(undefined, state);
    expect([modeOf(`${state}.checkpoint.pem`), publicKeys()]).toEqual([0o600, signer.publicPem]);
    expect(checkpointSigner('', state).keyid).toBe(signer.keyid);
    expect(publicKeys()).toBe(signer.publicPem);
  });

  test('may be given, and the public keys of all that ever signed stay, each once', () => {
    const [one, two] = [newSigningKey(), newSigningKey()];
    for (const pem of [one, two, one]) expect(checkpointSigner(pem, state).keyid).toBe(signerFromPem(pem).keyid);
    expect(publicKeys()).toBe(signerFromPem(one).publicPem + signerFromPem(two).publicPem);
    expect(existsSync(`${state}.checkpoint.pem`)).toBe(false);
    expect(() => checkpointSigner('no key', state)).toThrow(code('signing_key_required'));
  });

  test('is kept, as the key of tokens is, where an operator links the folder of the state, in a working tree too', () => {
    const [tree, disk] = [tempFolder(), tempFolder()];
    mkdirSync(join(tree, '.git'));
    symlinkSync(disk, join(tree, 'var'));
    const linked = join(tree, 'var', 'audit');
    const [token, signer] = [auditKeys(undefined, linked)[0], checkpointSigner(undefined, linked)];
    const kept = join(disk, 'audit');
    expect(auditKeys(undefined, kept)).toEqual([token]);
    expect(knownSigner(undefined, kept).keyid).toBe(signer.keyid);
    expect(readFileSync(`${kept}.checkpoint.pub`, 'utf8')).toBe(signer.publicPem);
  });

  test('of an audit that exists is never made', () => {
    for (const given of [undefined, '']) expect(() => knownSigner(given, state)).toThrow(code('signing_key_required'));
    writeFileSync(`${state}.checkpoint.pem`, 'no key');
    expect(() => knownSigner(undefined, state)).toThrow(code('signing_key_required'));
    rmSync(`${state}.checkpoint.pem`);
    const pem = newSigningKey();
    expect(knownSigner(pem, state).keyid).toBe(signerFromPem(pem).keyid);
    const signer = checkpointSigner(undefined, state);
    for (const given of [undefined, '']) expect(knownSigner(given, state).keyid).toBe(signer.keyid);
  });

  test('cannot be read from a folder, or from a file that is too large', () => {
    const path = `${state}.checkpoint.pub`;
    expect(readStateFile(path)).toBeNull();
    writeFileSync(path, 'x'.repeat(65_536));
    expect(readStateFile(path)).toHaveLength(65_536);
    writeFileSync(path, 'x'.repeat(65_537));
    expect(() => readStateFile(path)).toThrow(code('output_failed'));
    rmSync(path);
    mkdirSync(path);
    expect(() => checkpointSigner(undefined, state)).toThrow(code('output_failed'));
  });
});

describe('the signatures of checkpoints', () => {
  const [ours, theirs] = [newSigner(), newSigner()];
  const point = { kind: 'checkpoint', writer: 'a', n: 1, hash: '0'.repeat(64), at: 1 } as const;
  const envelope = checkpointSignerOf(ours)(point);

  test('verify with any of the public keys, whatever stands between them', () => {
    for (const pems of [ours.publicPem, `old\n${theirs.publicPem}\n# new\n${ours.publicPem}`]) {
      expect(envelopeVerifierOf(pems)(envelope)).toEqual(point);
    }
  });

  test('do not verify with other keys, or over another payload or type', () => {
    expect(() => envelopeVerifierOf(theirs.publicPem)(envelope)).toThrow();
    const verify = envelopeVerifierOf(ours.publicPem);
    const parsed = JSON.parse(envelope) as Record<string, unknown>;
    const payload = Buffer.from(JSON.stringify({ ...point, n: 2 })).toString('base64');
    const other = signEnvelope('application/json', canonicalBytes(point), [ours]).toString();
    for (const text of ['{}', '', JSON.stringify({ ...parsed, payload }), other]) expect(() => verify(text)).toThrow();
    const renamed = JSON.stringify({ ...(JSON.parse(other) as object), payloadType: CHECKPOINT_TYPE });
    expect(() => verify(renamed)).toThrow();
  });

  test('verify where one of several signatures does', () => {
    const both = signEnvelope(CHECKPOINT_TYPE, canonicalBytes(point), [theirs, ours]).toString();
    expect(envelopeVerifierOf(ours.publicPem)(both)).toEqual(point);
  });

  test('need an Ed25519 key', () => {
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const broken = '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n';
    for (const pems of ['', 'no key', String(publicKey.export({ type: 'spki', format: 'pem' })), broken]) {
      expect(() => envelopeVerifierOf(pems)).toThrow(code('argument_invalid'));
    }
  });
});
