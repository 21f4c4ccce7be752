import { canonicalJson } from '../../trust/canonical.ts';
import { Capsule, SCHEMA_VERSION } from '../schema/capsule.ts';
import type { Draft } from '../schema/draft.ts';
import { CAPSULE_BYTES } from '../schema/limits.ts';
import { withoutNulls } from './merge.ts';
import { normalise, type Normalised } from './normalise.ts';
import { faultsIn, invalid, refuse, type Fault } from './refusals.ts';
import { ruleFaults } from './rules.ts';

/**
 * A complete capsule from what was sent or merged: every limit and rule of the specification is checked, texts are
 * normalised, and the version is the current one. All faults are told together.
 *
 * @param known faults that were found before
 * @throws VadeError `capsule_invalid`
 */
export function complete(draft: Draft, known: readonly Fault[] = []): Normalised {
  const sent = withoutNulls(draft) as Draft;
  const given = parse(sent, [...known, ...ruleFaults(sent)]);
  const first = normalise(given);
  // white space alone has the length that a tag needs, until it is stripped
  const capsule = first.normalizations_applied.length > 0 ? parse(first.capsule, known) : first.capsule;
  refuse([...known, ...ruleFaults(capsule)]);
  return { ...first, capsule: { ...capsule, schema_version: SCHEMA_VERSION } };
}

/** @param others faults that are reported with the schema's faults, never alone */
function parse(draft: Draft, others: readonly Fault[]): Capsule {
  const parsed = Capsule.safeParse(draft);
  if (parsed.success) return parsed.data;
  refuse([...faultsIn(parsed.error.issues, draft), ...others]);
  throw invalid('capsule', 'is not valid');
}

/** The capsule as it is stored: canonical JSON in UTF-8. Throws `capsule_invalid` over the cap of 20 KB. */
export function encode(capsule: Capsule): Buffer {
  const bytes = Buffer.from(canonicalJson(capsule));
  if (bytes.length > CAPSULE_BYTES)
    throw invalid('capsule', `has ${bytes.length} bytes of canonical JSON; at most ${CAPSULE_BYTES} are stored`, {
      bytes: bytes.length,
      limit: CAPSULE_BYTES,
    });
  return bytes;
}
