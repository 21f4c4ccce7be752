import { constants, createHash, createPublicKey, verify, type KeyObject } from 'node:crypto';
import type { CommitKey } from '../../schema/source/trust-root.ts';

/** The content of an unverified SSHSIG blob (openssh PROTOCOL.sshsig). */
interface Claim {
  readonly publicKey: Buffer;
  readonly hash: string;
  readonly signature: Buffer;
}

/** Verification of a signature of one format, and the required key type. */
interface Scheme {
  readonly keyType: string;
  readonly holds: (key: KeyObject, message: Buffer, signature: Buffer) => boolean;
}

const MIN_RSA_BITS = 2048;

/** The user touched the authenticator (openssh PROTOCOL.u2f). */
const USER_PRESENT = 0x01;

/** Accepted signature formats by name; `ssh-rsa` (SHA-1), `ssh-dss` and certificates are refused. */
const SCHEMES: ReadonlyMap<string, Scheme> = new Map([
  ['ssh-ed25519', { keyType: 'ssh-ed25519', holds: (key, message, it) => verify(null, message, key, it) }],
  ['ecdsa-sha2-nistp256', ecdsa('ecdsa-sha2-nistp256', 'sha256', 32)],
  ['ecdsa-sha2-nistp384', ecdsa('ecdsa-sha2-nistp384', 'sha384', 48)],
  ['ecdsa-sha2-nistp521', ecdsa('ecdsa-sha2-nistp521', 'sha512', 66)],
  ['rsa-sha2-256', rsa('sha256')],
  ['rsa-sha2-512', rsa('sha512')],
]);

/** Key types of hardware authenticators, and their plain equivalents (openssh PROTOCOL.u2f). */
const AUTHENTICATORS: ReadonlyMap<string, string> = new Map([
  ['sk-ssh-ed25519@openssh.com', 'ssh-ed25519'],
  ['sk-ecdsa-sha2-nistp256@openssh.com', 'ecdsa-sha2-nistp256'],
]);

/** Which of `keys` made an SSHSIG signature for git over `payload`; null if none did or the signature is malformed. */
export async function sshSigner(
  signature: Buffer,
  payload: Buffer,
  keys: readonly CommitKey[],
): Promise<{ owner: string; key: string } | null> {
  if (keys.length === 0) return null;
  const { default: sshpk } = await import('sshpk');
  try {
    const claim = readClaim(signature);
    const key = claim && keys.find((it) => blobOf(it).equals(claim.publicKey));
    if (!key) return null;
    const { plain, application } = readKey(claim.publicKey);
    const publicKey = createPublicKey(sshpk.parseKey(plain, 'rfc4253').toString('pem'));
    if (!holds(claim, publicKey, application, payload)) return null;
    return {
      owner: key.owner,
      key: `SHA256:${digest('sha256', claim.publicKey).toString('base64').replace(/=+$/, '')}`,
    };
  } catch {
    return null; // for example a truncated field, or a point that is not on the curve
  }
}

/** The key blob of an OpenSSH public key line; empty if the type of the line differs from that in the blob. */
function blobOf(key: CommitKey): Buffer {
  const [type = '', base64 = ''] = key.public.trim().split(/[ \t]+/);
  const blob = Buffer.from(base64, 'base64');
  const name = field(Buffer.from(type));
  return blob.subarray(0, name.length).equals(name) ? blob : Buffer.alloc(0);
}

function readClaim(blob: Buffer): Claim | null {
  const fields = new Fields(blob);
  if (fields.bytes(6).toString('latin1') !== 'SSHSIG' || fields.uint32() !== 1) return null;
  const publicKey = fields.string();
  const namespace = fields.text();
  const reserved = fields.text();
  const hash = fields.text();
  const signature = fields.string();
  const isKnown = namespace === 'git' && reserved === '' && (hash === 'sha256' || hash === 'sha512');
  return isKnown && fields.done ? { publicKey, hash, signature } : null;
}

/** A public key as sshpk reads it, and the application that an authenticator's key is bound to. */
function readKey(blob: Buffer): { plain: Buffer; application: Buffer | null } {
  const fields = new Fields(blob);
  const type = fields.text();
  const base = AUTHENTICATORS.get(type);
  if (base === undefined) return { plain: blob, application: null };
  const parts = base === 'ssh-ed25519' ? [fields.string()] : [fields.string(), fields.string()];
  const application = fields.string();
  return { plain: Buffer.concat([Buffer.from(base), ...parts].map(field)), application };
}

function holds(claim: Claim, key: KeyObject, application: Buffer | null, payload: Buffer): boolean {
  const keyType = new Fields(claim.publicKey).text();
  const fields = new Fields(claim.signature);
  const format = fields.text();
  const scheme = SCHEMES.get(application ? (AUTHENTICATORS.get(format) ?? '') : format);
  if (scheme?.keyType !== (AUTHENTICATORS.get(keyType) ?? keyType)) return false;
  const signature = fields.string();
  const parts = [Buffer.from('git'), Buffer.alloc(0), Buffer.from(claim.hash), digest(claim.hash, payload)];
  let message = Buffer.concat([Buffer.from('SSHSIG'), ...parts.map(field)]);
  if (application) {
    const flags = fields.bytes(1);
    if (((flags[0] ?? 0) & USER_PRESENT) === 0) return false;
    message = Buffer.concat([digest('sha256', application), flags, fields.bytes(4), digest('sha256', message)]);
  }
  return fields.done && scheme.holds(key, message, signature);
}

function ecdsa(keyType: string, hash: string, size: number): Scheme {
  const holds = (key: KeyObject, message: Buffer, signature: Buffer): boolean => {
    const fields = new Fields(signature);
    const raw = Buffer.concat([fields.unsigned(size), fields.unsigned(size)]);
    return fields.done && verify(hash, message, { key, dsaEncoding: 'ieee-p1363' }, raw);
  };
  return { keyType, holds };
}

function rsa(hash: string): Scheme {
  const holds = (key: KeyObject, message: Buffer, signature: Buffer): boolean =>
    (key.asymmetricKeyDetails?.modulusLength ?? 0) >= MIN_RSA_BITS &&
    verify(hash, message, { key, padding: constants.RSA_PKCS1_PADDING }, signature);
  return { keyType: 'ssh-rsa', holds };
}

function digest(hash: string, bytes: Buffer): Buffer {
  return createHash(hash).update(bytes).digest();
}

/** A `string` of RFC 4251 §5. */
function field(bytes: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/** Reads the fields of RFC 4251 §5 in order; a truncated field is a RangeError. */
class Fields {
  private rest: Buffer;

  constructor(bytes: Buffer) {
    this.rest = bytes;
  }

  get done(): boolean {
    return this.rest.length === 0;
  }

  bytes(length: number): Buffer {
    if (length > this.rest.length) throw new RangeError('a field is truncated');
    const taken = this.rest.subarray(0, length);
    this.rest = this.rest.subarray(length);
    return taken;
  }

  uint32(): number {
    return this.bytes(4).readUInt32BE();
  }

  string(): Buffer {
    return this.bytes(this.uint32());
  }

  text(): string {
    return this.string().toString('latin1');
  }

  /** A non-negative `mpint`, as `size` bytes. */
  unsigned(size: number): Buffer {
    const bytes = this.string();
    const digits = bytes[0] === 0 ? bytes.subarray(1) : bytes;
    if (digits.length > size || bytes[0] === undefined || bytes[0] > 0x7f)
      throw new RangeError('a number is negative or too large');
    return Buffer.concat([Buffer.alloc(size - digits.length), digits]);
  }
}
