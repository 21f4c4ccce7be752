import { findSecrets, presetSecrets } from '../../../compiler/lint/rules/secret.ts';
import { VadeError } from '../../../compiler/schema/errors.ts';

interface TextAt {
  /** Names and numbers, such as `capsule.continuity.open_loops.2`. */
  readonly place: string;
  readonly text: string;
}

/**
 * Refuses a request with a secret in it: a history keeps what it was given. All texts are scanned as one, because the
 * scanner costs more for many texts than for long ones.
 *
 * @throws secret_refused with the places, never with the secret
 */
export async function refuseSecrets(request: unknown): Promise<void> {
  const texts = [...textsIn(request, '')];
  const findings = await findSecrets(texts.map(({ text }) => text).join('\n'), presetSecrets);
  if (findings.length === 0) return;
  const starts = startsOf(texts);
  const placeAt = (index: number) => texts[starts.findLastIndex((start) => start <= index)]?.place ?? '';
  const faults = findings.slice(0, MOST).map(({ index, message }) => ({ path: placeAt(index), message }));
  const said = faults.map(({ path, message }) => `${path}: ${message.replace(/^the text contains/, 'contains')}`);
  throw new VadeError('secret_refused', `${said.join('; ')}: leave it out, and revoke it if it is real`, { faults });
}

/** A name of the schema, or a place in a list; one that an agent chose may be the secret, and is not repeated. */
const OURS = /^(?:[a-z_]{1,32}|\d{1,6})$/;

/** Findings that are told one by one. */
const MOST = 10;

function* textsIn(value: unknown, place: string): Generator<TextAt> {
  if (typeof value === 'string') yield { place, text: value };
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    const shown = OURS.test(name) ? name : '…';
    const at = place === '' ? shown : `${place}.${shown}`;
    // a name that an agent chose, as in metadata
    if (!Array.isArray(value)) yield { place: at, text: name };
    yield* textsIn(inner, at);
  }
}

function startsOf(texts: readonly TextAt[]): number[] {
  let next = 0;
  return texts.map(({ text }) => {
    const start = next;
    next += text.length + 1;
    return start;
  });
}
