import { MAX_COMMIT } from '../../schema/source/sources.ts';
import type { CommitKey } from '../../schema/source/trust-root.ts';
import { openPgpSigner } from './openpgp-signature.ts';
import { sshSigner } from './ssh-signature.ts';

/** The parts of a commit object: the signed bytes, and the armored signature over them. */
export interface SignedCommit {
  readonly payload: Buffer;
  readonly signature: string;
}

const MAX_SIGNATURE = 64 * 1024;

/** The latest second that a `Date` can represent; comparisons with a later one are always false. */
const MAX_SECONDS = 8_640_000_000_000;

/** The headers with which every commit begins, in git's order: a signed tag or push certificate does not match. */
const COMMIT =
  /^tree (?:[0-9a-f]{40}|[0-9a-f]{64})\n(?:parent (?:[0-9a-f]{40}|[0-9a-f]{64})\n)*author [^\n]*\ncommitter [^\n]*\n/;

/**
 * A signature header of any name, with its continuation lines (git, gitformat-signature). Without the `m` flag, because
 * `^` would then also match after a carriage return, which does not end a line in git.
 */
const HEADER = /(?<=\n)(gpgsig[^ \n]*) ([^\n]*\n(?: [^\n]*\n)*)/g;

/** RFC 9580 §6.2 and openssh PROTOCOL.sshsig: exactly one armored block; the checksum is not verified. */
const PGP_ARMOR =
  /^-----BEGIN PGP SIGNATURE-----\n(?:[A-Za-z]+: [^\n]*\n)*\n([A-Za-z0-9+/\n]+={0,2})(?:\n=[A-Za-z0-9+/]{4})?\n-----END PGP SIGNATURE-----\n*$/;
const SSH_ARMOR = /^-----BEGIN SSH SIGNATURE-----\n([A-Za-z0-9+/\n]+={0,2})\n-----END SSH SIGNATURE-----\n*$/;

/**
 * Splits a raw commit object into the signed bytes and the signature. Null if there is no signature or more than one,
 * or if git would not read the object as a commit.
 */
export function readSigned(raw: Buffer): SignedCommit | null {
  const end = raw.indexOf('\n\n');
  if (end < 0 || raw.length > MAX_COMMIT) return null;
  // latin1 has one character a byte, so that offsets in the text are offsets in the object
  const headers = raw.toString('latin1', 0, end + 1);
  if (!COMMIT.test(headers)) return null;
  const [header, ...more] = headers.matchAll(HEADER);
  if (!header || more.length > 0 || header[0].length > MAX_SIGNATURE) return null;
  const [whole, name, value = ''] = header;
  if (name !== 'gpgsig' && name !== 'gpgsig-sha256') return null;
  const payload = Buffer.concat([raw.subarray(0, header.index), raw.subarray(header.index + whole.length)]);
  return { payload, signature: value.replaceAll('\n ', '\n') };
}

/**
 * Which of `keys` signed a raw commit object: the owner's entity URI and the key's fingerprint. `raw` is untrusted; the
 * result is null if it cannot be read or verified.
 *
 * @param committed the commit time in seconds since 1970; a key that had expired by then does not count
 */
export async function verifyCommitSignature(
  raw: Buffer,
  keys: readonly CommitKey[],
  committed: number,
): Promise<{ owner: string; key: string } | null> {
  const signed = Math.abs(committed) <= MAX_SECONDS ? readSigned(raw) : null;
  if (signed === null) return null;
  const valid = keys.filter(({ expires }) => expires === null || committed * 1000 <= Date.parse(expires));
  const ssh = decode(signed.signature, SSH_ARMOR);
  if (ssh) return sshSigner(ssh, signed.payload, ofKind(valid, 'ssh'));
  const pgp = decode(signed.signature, PGP_ARMOR);
  return pgp && openPgpSigner(pgp, signed.payload, ofKind(valid, 'openpgp'), committed);
}

function ofKind(keys: readonly CommitKey[], kind: CommitKey['kind']): CommitKey[] {
  return keys.filter((key) => key.kind === kind);
}

function decode(signature: string, armor: RegExp): Buffer | null {
  const base64 = armor.exec(signature)?.[1];
  return base64 === undefined ? null : Buffer.from(base64, 'base64');
}
