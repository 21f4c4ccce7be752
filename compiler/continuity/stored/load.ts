import type { z } from 'zod';
import { messageOf } from '../../schema/errors.ts';
import { withoutNulls } from '../capsule/merge.ts';
import { StoredCapsule, type Capsule } from '../schema/capsule.ts';
import type { Draft } from '../schema/draft.ts';
import { ArchiveEnvelope, FallbackSnapshot } from '../schema/envelopes.ts';
import { CAPSULE_BYTES } from '../schema/limits.ts';
import { mayBeAt } from './paths.ts';
import { upgraded } from './upgrade.ts';

/** Bytes that are read of one stored file: a capsule, its envelope, and room for how older releases wrote JSON. */
const STORED_BYTES = 8 * CAPSULE_BYTES;

/** A stored value, or the reason why it cannot be read. */
export type Loaded<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly reason: string };

/** An archived capsule with its envelope. */
export interface Archived extends Omit<ArchiveEnvelope, 'capsule'> {
  readonly capsule: Capsule;
}

/**
 * An active capsule. An older one is upgraded; one from before the form was stable is refused, here as everywhere, and
 * so is one whose content is of another subject than its name.
 *
 * @param path where it is
 */
export function loadActive(path: string, bytes: Buffer): Loaded<Capsule> {
  return loaded(() => ofSubjectAt(path, capsuleFrom(json(bytes))));
}

/** The capsule of a fallback snapshot, if there is one. @param path of the active capsule */
export function loadFallback(path: string, bytes: Buffer | null): Loaded<Capsule> {
  if (bytes === null) return { ok: false, reason: 'there is none' };
  return loaded(() => ofSubjectAt(path, capsuleFrom(envelopeOf(FallbackSnapshot, bytes).capsule)));
}

/** The capsule of an archive, with its envelope. */
export function loadArchive(bytes: Buffer): Loaded<Archived> {
  return loaded(() => {
    const envelope = envelopeOf(ArchiveEnvelope, bytes);
    return { ...envelope, capsule: ofSubjectAt(envelope.active_path, capsuleFrom(envelope.capsule)) };
  });
}

/** Refuses a capsule of another subject than its name: another program may commit anything under any name. */
function ofSubjectAt(path: string, capsule: Capsule): Capsule {
  if (mayBeAt(path, capsule.subject_kind, capsule.subject_id)) return capsule;
  throw new Error('its content has another subject than its name');
}

function capsuleFrom(stored: Draft): Capsule {
  const parsed = StoredCapsule.safeParse(withoutNulls(upgraded(stored)));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(`invalid legacy state at ${issue?.path.join('.') ?? ''}`);
}

function envelopeOf<T>(schema: z.ZodType<T>, bytes: Buffer): T {
  const parsed = schema.safeParse(json(bytes));
  if (parsed.success) return parsed.data;
  throw new Error(`invalid envelope at ${parsed.error.issues[0]?.path.join('.') ?? ''}`);
}

function json(bytes: Buffer): Draft {
  if (bytes.length > STORED_BYTES) throw new Error(`it has more than ${STORED_BYTES} bytes`);
  const value: unknown = JSON.parse(bytes.toString());
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Draft;
  throw new Error('it is not a JSON object');
}

function loaded<T>(read: () => T): Loaded<T> {
  try {
    return { ok: true, value: read() };
  } catch (cause) {
    return { ok: false, reason: messageOf(cause) };
  }
}
