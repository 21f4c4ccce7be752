import { Capsule, SCHEMA_VERSION } from '../../schema/continuity/capsule.ts';
import { CAPSULE_BYTES } from '../../schema/continuity/limits.ts';
import { canonicalJson } from '../../trust/canonical.ts';
import { withoutNulls } from './merge.ts';
import { normalise, type Normalised } from './normalise.ts';
import { invalid, invalidBy } from './refusals.ts';

/**
 * A complete capsule from what was sent or merged: every limit and rule of the specification is checked, texts are
 * normalised, and the version is the current one. Throws `capsule_invalid`.
 */
export function complete(draft: unknown): Normalised {
  const first = normalise(parse(draft));
  // white space alone has the length that a tag needs, until it is stripped
  const capsule = first.normalizations_applied.length > 0 ? parse(first.capsule) : first.capsule;
  checkRules(capsule);
  return { ...first, capsule: { ...capsule, schema_version: SCHEMA_VERSION } };
}

function parse(draft: unknown): Capsule {
  const parsed = Capsule.safeParse(withoutNulls(draft));
  if (!parsed.success) throw invalidBy(parsed.error.issues, draft);
  return parsed.data;
}

/** What no schema of one field can say. */
function checkRules(capsule: Capsule): void {
  checkKind(capsule);
  checkBoundary(capsule);
  checkSupersession(capsule);
}

/** Preferences are of users and peers, descriptors of threads and tasks. */
function checkKind({ subject_kind, stable_preferences, thread_descriptor }: Capsule): void {
  const isThread = subject_kind === 'thread' || subject_kind === 'task';
  if (isThread && stable_preferences.length > 0)
    throw invalid('stable_preferences', 'only capsules of users and peers have preferences');
  if (!isThread && thread_descriptor) throw invalid('thread_descriptor', 'only capsules of threads and tasks have one');
}

/** "the capsule must also include metadata.interaction_boundary_kind as a valid scalar value" */
function checkBoundary({ source, metadata }: Capsule): void {
  if (source.update_reason !== 'interaction_boundary') return;
  const kind = metadata['interaction_boundary_kind'];
  const isScalar =
    typeof kind === 'number' || typeof kind === 'boolean' || (typeof kind === 'string' && kind.trim() !== '');
  if (!isScalar) throw invalid('metadata.interaction_boundary_kind', 'say which boundary it was, as one text');
}

/** `supersedes` "must reference a tag in the same list with status superseded". */
function checkSupersession({ continuity: { rationale_entries } }: Capsule): void {
  const superseded = new Set(rationale_entries.filter((it) => it.status === 'superseded').map((it) => it.tag));
  for (const [at, { tag, supersedes }] of rationale_entries.entries()) {
    if (supersedes === undefined || (superseded.has(supersedes) && supersedes !== tag)) continue;
    const field = `continuity.rationale_entries.${at}.supersedes`;
    throw invalid(field, 'name another entry of the list, whose status is superseded');
  }
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
