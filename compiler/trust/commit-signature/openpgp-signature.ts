import type * as Library from 'openpgp';
import type { PublicKey, Signature, SignaturePacket } from 'openpgp';
import type { CommitKey } from '../../schema/source/trust-root.ts';

type OpenPgp = typeof Library;

interface Detached {
  readonly signature: Signature;
  readonly packet: SignaturePacket;
}

/** Each key of a trust root is read once: that proves its own signatures, which takes milliseconds. */
const readKeys = new WeakMap<CommitKey, Promise<PublicKey | null>>();

/**
 * Which of `keys` made a detached OpenPGP signature over `payload`; null for none, and for what is malformed.
 * A key must have been valid when the commit was made. The library is loaded only where there is a key for it.
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

/** One binary signature (RFC 9580 §5.2.1) with a hash that still stands; a text one would leave line ends open. */
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

/** Whether `key` made the signature, and could sign both when it did and at the commit's time. */
async function holds(
  openpgp: OpenPgp,
  key: PublicKey,
  { signature, packet }: Detached,
  payload: Buffer,
  committed: Date,
): Promise<boolean> {
  const [issuer] = key.getKeys(packet.issuerKeyID);
  if (!issuer || packet.created === null || issuer.getCreationTime() > committed) return false;
  const settled = latest([committed, packet.created, ...statements(key)]);
  try {
    const { signatures } = await openpgp.verify({
      message: await openpgp.createMessage({ binary: new Uint8Array(payload), date: committed }),
      signature,
      verificationKeys: key,
      date: settled,
      format: 'binary',
      config: { allowInsecureVerificationWithReformattedKeys: true },
    });
    if ((await signatures[0]?.verified) !== true) return false;
    const signer = key.getSigningKey(packet.issuerKeyID, committed);
    await signer.catch(() => key.getSigningKey(packet.issuerKeyID, settled));
    return true;
  } catch {
    return false;
  }
}

/**
 * When the key last said something of itself. Who prolongs a key replaces what it said before, so commits
 * from then are judged by its newest word; by the trust root alone, never by the clock of this machine.
 */
function statements(key: PublicKey): Date[] {
  const own = [
    ...key.users.flatMap((it) => it.selfCertifications),
    ...key.subkeys.flatMap((it) => it.bindingSignatures),
  ];
  return own.flatMap(({ created }) => created ?? []);
}

function latest(dates: readonly Date[]): Date {
  return new Date(Math.max(...dates.map(Number)));
}
