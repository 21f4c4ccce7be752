import type * as Library from 'openpgp';
import type { PublicKey, Signature, SignaturePacket } from 'openpgp';
import type { CommitKey } from '../../schema/source/trust-root.ts';

type OpenPgp = typeof Library;

interface Detached {
  readonly signature: Signature;
  readonly packet: SignaturePacket;
}

/** A cache of parsed keys: reading a key verifies its own signatures, which takes milliseconds. */
const readKeys = new WeakMap<CommitKey, Promise<PublicKey | null>>();

/**
 * Which of `keys` made a detached OpenPGP signature over `payload`; null if none did or the signature is malformed.
 * The key must have been valid at the time of the commit. The library is loaded only if there are OpenPGP keys.
 *
 * @param committed seconds since 1970
 */
export async function openPgpSigner(
  signature: Buffer,
  payload: Buffer,
  keys: readonly CommitKey[],
  committed: number,
): Promise<{ owner: string; key: string } | null> {
  if (keys.length === 0) return null;
  const openpgp = await import('openpgp');
  const detached = await readDetached(openpgp, signature);
  if (detached === null) return null;
  for (const trusted of keys) {
    const key = await readTrusted(openpgp, trusted);
    if (key && (await holds(openpgp, key, detached, payload, new Date(committed * 1000)))) {
      return { owner: trusted.owner, key: key.getFingerprint().toUpperCase() };
    }
  }
  return null;
}

/** One binary signature (RFC 9580 §5.2.1) with a strong hash; a text signature would not cover line ends. */
async function readDetached(openpgp: OpenPgp, bytes: Buffer): Promise<Detached | null> {
  const { hash, signature: type } = openpgp.enums;
  const strong: readonly (number | null)[] = [hash.sha256, hash.sha384, hash.sha512, hash.sha3_256, hash.sha3_512];
  try {
    const signature = await openpgp.readSignature({ binarySignature: bytes });
    const [packet] = signature.packets;
    if (signature.packets.length !== 1 || !(packet instanceof openpgp.SignaturePacket)) return null;
    const counts = packet.signatureType === type.binary && strong.includes(packet.hashAlgorithm);
    return counts ? { signature, packet } : null;
  } catch {
    return null;
  }
}

function readTrusted(openpgp: OpenPgp, trusted: CommitKey): Promise<PublicKey | null> {
  const known = readKeys.get(trusted);
  if (known) return known;
  const read = openpgp.readKey({ armoredKey: trusted.public }).then(
    (key) => key.toPublic(),
    () => null,
  );
  readKeys.set(trusted, read);
  return read;
}

/** Whether `key` made the signature, and was valid at the time of the signature and of the commit. */
async function holds(
  openpgp: OpenPgp,
  key: PublicKey,
  { signature, packet }: Detached,
  payload: Buffer,
  committed: Date,
): Promise<boolean> {
  const [issuer] = key.getKeys(packet.issuerKeyID);
  if (!issuer || packet.created === null || issuer.getCreationTime() > committed) return false;
  const verifiedAt = latest([committed, packet.created, ...selfSignatureTimes(key)]);
  try {
    const { signatures } = await openpgp.verify({
      message: await openpgp.createMessage({ binary: new Uint8Array(payload), date: committed }),
      signature,
      verificationKeys: key,
      date: verifiedAt,
      format: 'binary',
      config: { allowInsecureVerificationWithReformattedKeys: true },
    });
    if ((await signatures[0]?.verified) !== true) return false;
    const signer = key.getSigningKey(packet.issuerKeyID, committed);
    await signer.catch(() => key.getSigningKey(packet.issuerKeyID, verifiedAt));
    return true;
  } catch {
    return false;
  }
}

/**
 * The creation times of the key's self-signatures. Extending a key's validity replaces its self-signature, so earlier
 * commits are verified as of the newest one: it depends on the trust root alone, never on this machine's clock.
 */
function selfSignatureTimes(key: PublicKey): Date[] {
  const own = [
    ...key.users.flatMap((it) => it.selfCertifications),
    ...key.subkeys.flatMap((it) => it.bindingSignatures),
  ];
  return own.flatMap(({ created }) => created ?? []);
}

function latest(dates: readonly Date[]): Date {
  return new Date(Math.max(...dates.map(Number)));
}
