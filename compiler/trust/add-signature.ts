import { byText } from './canonical.ts';
import { signEnvelope, type Signer } from './dsse.ts';
import { envelopeOf, readEnvelope } from './envelope.ts';

/**
 * Adds a signature to an envelope, so that several people can sign one file. Each key has one signature, and the
 * signatures are sorted: the same signers give the same bytes, in whatever order they sign.
 *
 * @throws bundle_unverified: envelope_malformed, payload_type_wrong; output_failed
 */
export function addSignature(envelope: Buffer, type: string, signer: Signer): Buffer {
  const { payload, signatures } = readEnvelope(envelope, type);
  const own = readEnvelope(signEnvelope(type, Buffer.from(payload, 'base64'), [signer]), type);
  const others = signatures.filter(({ keyid }) => keyid !== signer.keyid);
  const all = [...others, ...own.signatures].sort((a, b) => byText(a.keyid, b.keyid));
  return envelopeOf({ payload: own.payload, payloadType: type, signatures: all });
}
