import { execFileSync } from 'node:child_process';
import { createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommitKey } from '../../../compiler/schema/source/trust-root.ts';
import { tempFolder } from '../../support/folder.ts';
import type { Repository } from '../../support/repository.ts';

export const ADA = 'acme/human/ada';
export const BOB = 'acme/human/bob';

/** When the commits of these tests are made. */
export const AT = 1_760_000_000;

/** Whether a program is there; that its tests are skipped is said loudly. */
export function has(program: string, ...args: string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return true;
    console.warn(`!!! ${program} is not installed: the commit signatures it makes are NOT tested here`);
    return false;
  }
}

export function commitKey(publicKey: string, more: Partial<CommitKey> = {}): CommitKey {
  const kind = publicKey.startsWith('-----BEGIN PGP') ? 'openpgp' : 'ssh';
  return CommitKey.parse({ kind, public: publicKey, owner: ADA, ...more });
}

/** The raw object of a commit, byte for byte. */
export function rawCommit(repo: Repository, ref = 'HEAD'): Buffer {
  return execFileSync('git', ['cat-file', 'commit', ref], { cwd: repo.path });
}

/** A commit object that git would read. */
export function plainCommit(message = 'hello\n', headers = ''): Buffer {
  const who = `Ada Lovelace <ada@example.com> ${AT} +0000`;
  return Buffer.from(`tree ${'1'.repeat(40)}\nauthor ${who}\ncommitter ${who}\n${headers}\n${message}`);
}

/** A commit object with a signature header after its own. */
export function withSignature(plain: Buffer, armored: string, header = 'gpgsig'): Buffer {
  const end = plain.indexOf('\n\n') + 1;
  const folded = `${header} ${armored.trimEnd().replaceAll('\n', '\n ')}\n`;
  return Buffer.concat([plain.subarray(0, end), Buffer.from(folded), plain.subarray(end)]);
}

/** Writes an executable that runs another with these arguments before its own. */
export function wrapper(command: string): string {
  const path = join(tempFolder(), 'program');
  writeFileSync(path, `#!/bin/sh\nexec ${command} "$@"\n`, { mode: 0o755 });
  return path;
}

/** An SSH key made here, and signatures by it that may be wrong in any one way. */
export interface SshKey {
  readonly line: string;
  readonly blob: Buffer;
  readonly sign: (payload: Buffer, twist?: Twist) => string;
}

/** Deviations from a well-behaved signer. */
export interface Twist {
  readonly magic?: string;
  readonly version?: number;
  readonly namespace?: string;
  readonly reserved?: string;
  /** Value of the reserved field, where it is not the one that is signed. */
  readonly claimed?: string;
  readonly hash?: string;
  readonly format?: string;
  readonly flags?: number;
  readonly trailing?: string;
  /** Bytes behind the signature proper, inside the blob. */
  readonly inner?: string;
  /** Bytes behind the numbers of an ECDSA signature. */
  readonly mpints?: string;
  /** Whether its first number lacks the zero in front, so that it reads as negative. */
  readonly negative?: boolean;
  readonly publicKey?: Buffer;
}

export function ssh(value: string | Buffer): Buffer {
  const bytes = Buffer.from(value);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

export function armor(blob: Buffer): string {
  const lines = blob.toString('base64').match(/.{1,70}/g) ?? [];
  return ['-----BEGIN SSH SIGNATURE-----', ...lines, '-----END SSH SIGNATURE-----', ''].join('\n');
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** The SSHSIG blob of a signature made by `raw`, which answers format and signature, and what follows them. */
function sshKey(blob: Buffer, type: string, raw: (message: Buffer, twist: Twist) => Buffer): SshKey {
  return {
    line: `${type} ${blob.toString('base64')} someone@example.com`,
    blob,
    sign: (payload, twist = {}) => {
      const { magic = 'SSHSIG', namespace = 'git', reserved = '', hash = 'sha512', version = 1 } = twist;
      const parts = [namespace, reserved, hash, createHash(hash).update(payload).digest()].map(ssh);
      const made = raw(Buffer.concat([Buffer.from('SSHSIG'), ...parts]), twist);
      const signature = Buffer.concat([made, Buffer.from(twist.inner ?? '')]);
      const head = [Buffer.from(magic), uint32(version), ssh(twist.publicKey ?? blob)];
      const tail = [ssh(signature), Buffer.from(twist.trailing ?? '')];
      return armor(Buffer.concat([...head, ...[namespace, twist.claimed ?? reserved, hash].map(ssh), ...tail]));
    },
  };
}

const edPoint = (key: KeyObject) => Buffer.from(key.export({ format: 'jwk' }).x!, 'base64url');

export function ed25519(): SshKey {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const blob = Buffer.concat([ssh('ssh-ed25519'), ssh(edPoint(publicKey))]);
  return sshKey(blob, 'ssh-ed25519', (message, { format = 'ssh-ed25519' }) =>
    Buffer.concat([ssh(format), ssh(sign(null, message, privateKey))]),
  );
}

/** As an authenticator would hold a key and sign with it (openssh PROTOCOL.u2f). */
function inAuthenticator(plainType: string, parts: readonly (string | Buffer)[], signer: (bytes: Buffer) => Buffer) {
  const type = `sk-${plainType}@openssh.com`;
  const blob = Buffer.concat([type, ...parts, 'ssh:'].map(ssh));
  return sshKey(blob, type, (message, { format = type, flags = 1 }) => {
    const state = Buffer.concat([Buffer.from([flags]), uint32(7)]);
    const [application, digest] = [Buffer.from('ssh:'), message].map((it) => createHash('sha256').update(it).digest());
    return Buffer.concat([ssh(format), ssh(signer(Buffer.concat([application!, state, digest!]))), state]);
  });
}

export function ed25519Authenticator(): SshKey {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  return inAuthenticator('ssh-ed25519', [edPoint(publicKey)], (bytes) => sign(null, bytes, privateKey));
}

export function ecdsaAuthenticator(): SshKey {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const parts = ['nistp256', ecPoint(publicKey)];
  return inAuthenticator('ecdsa-sha2-nistp256', parts, (bytes) => ecSignature('sha256', bytes, privateKey));
}

/** Signs with `algorithm`, whatever the format says. */
export function rsa(bits: number, algorithm: string): SshKey {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: bits });
  const { n, e } = publicKey.export({ format: 'jwk' });
  const modulus = Buffer.concat([Buffer.alloc(1), Buffer.from(n!, 'base64url')]);
  const blob = Buffer.concat([ssh('ssh-rsa'), ssh(Buffer.from(e!, 'base64url')), ssh(modulus)]);
  return sshKey(blob, 'ssh-rsa', (message, { format = `rsa-sha2-${algorithm.slice(3)}` }) =>
    Buffer.concat([ssh(format), ssh(sign(algorithm, message, privateKey))]),
  );
}

export function ecdsa(curve: string, algorithm: string): SshKey {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: `P-${curve}` });
  const type = `ecdsa-sha2-nistp${curve}`;
  const blob = Buffer.concat([type, `nistp${curve}`, ecPoint(publicKey)].map(ssh));
  return sshKey(blob, type, (message, { format = type, mpints = '', negative = false }) => {
    const numbers = negative ? negativeSignature : ecSignature;
    return Buffer.concat(
      [format, Buffer.concat([numbers(algorithm, message, privateKey), Buffer.from(mpints)])].map(ssh),
    );
  });
}

function ecPoint(key: KeyObject): Buffer {
  const { x, y } = key.export({ format: 'jwk' });
  return Buffer.concat([Buffer.from([4]), Buffer.from(x!, 'base64url'), Buffer.from(y!, 'base64url')]);
}

function ecSignature(algorithm: string, message: Buffer, key: KeyObject): Buffer {
  const raw = sign(algorithm, message, { key, dsaEncoding: 'ieee-p1363' });
  const half = raw.length / 2;
  return Buffer.concat([raw.subarray(0, half), raw.subarray(half)].map(mpint));
}

/** A signature whose first number, without the zero that belongs in front, reads as negative. */
function negativeSignature(algorithm: string, message: Buffer, key: KeyObject): Buffer {
  const signature = ecSignature(algorithm, message, key);
  const digits = signature.subarray(5, 4 + signature.readUInt32BE());
  if (signature[4] !== 0) return negativeSignature(algorithm, message, key);
  return Buffer.concat([ssh(digits), signature.subarray(5 + digits.length)]);
}

/** RFC 4251 §5: as short as it can be, with a zero in front where it would read as negative. */
function mpint(digits: Buffer): Buffer {
  const short = digits.subarray(digits.findIndex((it) => it !== 0));
  return ssh((short[0] ?? 0) > 0x7f ? Buffer.concat([Buffer.alloc(1), short]) : short);
}
