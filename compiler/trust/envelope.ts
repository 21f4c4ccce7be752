import { z } from 'zod';
import { MAX_ENVELOPE_BYTES, MAX_SIGNATURES } from '../schema/bundle/bundle.ts';
import { VadeError } from '../schema/errors.ts';
import { refuse } from '../schema/refusals.ts';
import { textOfFile } from '../schema/text-file.ts';
import { canonicalBytes } from './canonical.ts';

/** A DSSE envelope (github.com/secure-systems-lab/dsse) before verification. */
const Envelope = z.strictObject({
  payload: z.string(),
  payloadType: z.string(),
  signatures: z.array(z.strictObject({ keyid: z.string(), sig: z.string() })).max(MAX_SIGNATURES),
});

/** One signature of an envelope, not verified. */
export type Signature = z.infer<typeof Envelope>['signatures'][number];

/** The bytes of an envelope. @throws output_failed for one that nothing could read */
export function envelopeOf(envelope: z.infer<typeof Envelope>, limit = MAX_ENVELOPE_BYTES): Buffer {
  const bytes = canonicalBytes(envelope);
  const { length } = envelope.signatures;
  if (bytes.length <= limit && length <= MAX_SIGNATURES) return bytes;
  const message = `${bytes.length} bytes and ${length} signatures; at most ${limit} and ${MAX_SIGNATURES} are read`;
  throw new VadeError(
    'output_failed',
    `nothing was signed: the envelope (${envelope.payloadType}) would have ${message}`,
  );
}

/** Reads an envelope. Nothing of it is verified. @throws bundle_unverified: envelope_malformed, payload_type_wrong */
export function readEnvelope(bytes: Buffer, type: string): z.infer<typeof Envelope> {
  const parsed = Envelope.safeParse(parseJson(bytes));
  if (!parsed.success) throw refuse('envelope_malformed', 'not a DSSE envelope');
  if (parsed.data.payloadType !== type)
    throw refuse('payload_type_wrong', 'the envelope contains another payload type');
  return parsed.data;
}

/**
 * The payload of an envelope, in strict base64: `Buffer.from` skips invalid characters, so the length is checked.
 *
 * @throws bundle_unverified: envelope_malformed
 */
export function decodePayload(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64');
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  if (bytes.length === (text.length / 4) * 3 - padding) return bytes;
  throw refuse('envelope_malformed', 'the payload of the envelope is not base64');
}

/**
 * A checkout may change line ends, indentation and order of an envelope. Untrusted input: a text that parsers read in
 * different ways, such as one with a key twice, is refused.
 */
function parseJson(bytes: Buffer): unknown {
  let text: string;
  let value: unknown;
  try {
    text = textOfFile(bytes);
    value = JSON.parse(text);
  } catch {
    throw refuse('envelope_malformed', 'not JSON');
  }
  // no text of an envelope has white space
  if (text.replace(/[ \t\r\n]+/g, '') === JSON.stringify(value)) return value;
  throw refuse('envelope_malformed', 'not a DSSE envelope: a member is there twice, or has white space or escapes');
}
