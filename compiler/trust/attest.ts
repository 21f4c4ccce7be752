import type { ZodType } from 'zod';
import {
  MAX_ENVELOPE_BYTES,
  MAX_FILE_BYTES,
  MAX_GARDEN_BYTES,
  ReadRootStatement,
  ROOT_PREDICATE,
  type Bundle,
  type RootPredicate,
  type RootStatement,
} from '../schema/bundle/bundle.ts';
import {
  CAPABILITY_PREDICATE,
  CapabilityStatement,
  type CapabilityGarden,
  type CapabilityPredicate,
} from '../schema/bundle/capability-garden.ts';
import { sortKinds, type SortedRoot } from '../schema/bundle/entry-kinds.ts';
import {
  type Garden,
  type GardenPredicate,
  type Subject,
  GARDEN_PREDICATE,
  GardenStatement,
  IN_TOTO_TYPE,
  STATEMENT_TYPE,
} from '../schema/bundle/garden.ts';
import { VadeError } from '../schema/errors.ts';
import { refuse } from '../schema/refusals.ts';
import type { TrustRoot } from '../schema/source/trust-root.ts';
import { byText, canonicalBytes, sha256 } from './canonical.ts';
import { checkAhead, openSigned, signEnvelope, type Signer } from './dsse.ts';
import { readPayload } from './read-payload.ts';

type Files = ReadonlyMap<string, Buffer>;

/**
 * Signs one statement for everything of one agent (DESIGN §7): its subjects are every fact and the manifest by URI,
 * and every file by path. There is no unsigned duplicate.
 *
 * @param named digests by URI: facts of all versions, and the manifest
 */
export function attestGarden(
  predicate: GardenPredicate,
  named: ReadonlyMap<string, string>,
  files: Files,
  signers: readonly Signer[],
): Garden {
  return signGarden(GARDEN_PREDICATE, predicate, named, files, signers);
}

/**
 * Signs the statement about the atoms and roles of a deployment.
 *
 * @param named digests by URI: every version of every atom and role
 */
export function attestCapabilities(
  predicate: CapabilityPredicate,
  named: ReadonlyMap<string, string>,
  files: Files,
  signers: readonly Signer[],
): CapabilityGarden {
  return signGarden(CAPABILITY_PREDICATE, predicate, named, files, signers);
}

function signGarden<T extends string, P extends { readonly garden: string }>(
  predicateType: T,
  predicate: P,
  named: ReadonlyMap<string, string>,
  files: Files,
  signers: readonly Signer[],
) {
  assertReadable(files, MAX_FILE_BYTES);
  const subjects = [...[...named].map(([name, digest]) => subject(name, digest)), ...fileSubjects(files)];
  const statement = {
    _type: STATEMENT_TYPE,
    subject: subjects.sort((a, b) => byText(a.name, b.name)),
    predicateType,
    predicate,
  } as const;
  const envelope = signEnvelope(IN_TOTO_TYPE, canonicalBytes(statement), signers);
  return { name: predicate.garden, digest: sha256(envelope), envelope, statement, files };
}

/** Signs the bundle's root statement, which names the digest of every garden, of `org.json` and of every trust root. */
export function attestRoot(
  predicate: RootPredicate,
  built: readonly Garden[],
  files: Files,
  signers: readonly Signer[],
  capabilities: CapabilityGarden | null = null,
): Bundle {
  assertReadable(files, MAX_ENVELOPE_BYTES);
  const statement: RootStatement = {
    _type: STATEMENT_TYPE,
    subject: [
      ...predicate.gardens.map((it) => subject(`gardens/${it.garden}`, it.digest)),
      ...fileSubjects(files),
    ].sort((a, b) => byText(a.name, b.name)),
    predicateType: ROOT_PREDICATE,
    predicate,
  };
  const envelope = signEnvelope(IN_TOTO_TYPE, canonicalBytes(statement), signers);
  return {
    revision: `${predicate.serial}-${sha256(envelope)}`,
    statement,
    files: new Map([...files, ['root.dsse.json', envelope]]),
    built,
    ...(capabilities && { capabilities }),
    kept: predicate.gardens.filter(({ garden, kind }) => kind === undefined && !built.some((it) => it.name === garden)),
  };
}

/** A verified statement, and the IDs of the keys with valid signatures. */
export interface Signed<T> {
  readonly statement: T;
  readonly signed_by: readonly string[];
}

/** Verifies a garden's envelope and returns its statement. */
export function openGarden(envelope: Buffer, root: TrustRoot, now: string): Signed<GardenStatement> {
  return openStatement(GardenStatement, envelope, root, now);
}

/** Verifies the signatures of an envelope in another thread, so that `openGarden` of the same buffer is fast. */
export function openGardenAhead(envelope: Buffer, root: TrustRoot): Promise<void> {
  return checkAhead(envelope, IN_TOTO_TYPE, root, root.roles.bundle.keyids);
}

/** Verifies the envelope of the atoms and roles and returns its statement. */
export function openCapabilities(envelope: Buffer, root: TrustRoot, now: string): Signed<CapabilityStatement> {
  return openStatement(CapabilityStatement, envelope, root, now);
}

/**
 * Verifies a bundle's root envelope and returns its statement, with the gardens of other kinds apart.
 *
 * @throws bundle_unverified
 */
export function openRoot(envelope: Buffer, root: TrustRoot, now: string): Signed<RootStatement> & SortedRoot {
  const { signed_by, statement: read } = openStatement(ReadRootStatement, envelope, root, now);
  const signed = { ...sortKinds(read), signed_by };
  if (!root.development && signed.statement.predicate.deployment !== root.deployment) {
    throw refuse('statement_misplaced', 'the bundle belongs to another deployment');
  }
  if (!root.development && signed.statement.predicate.unversioned) {
    throw refuse('statement_misplaced', 'the bundle was compiled from uncommitted changes: only --dev accepts it');
  }
  return signed;
}

/** Statements of gardens and roots share payload type and keys: only the schema tells them apart. */
function openStatement<T>(kind: ZodType<T>, envelope: Buffer, root: TrustRoot, now: string): Signed<T> {
  const { payload, keyids } = openSigned(envelope, IN_TOTO_TYPE, root, root.roles.bundle, now);
  return { statement: readPayload(kind, payload, 'the expected statement'), signed_by: keyids };
}

/** Verifies one file of a garden or a root against the statement that names it. */
export function assertSubject(subjects: ReadonlyMap<string, Subject>, name: string, bytes: Buffer): void {
  const expected = subjects.get(name);
  if (!expected) throw refuse('file_unexpected', `no signed statement names ${name}`, { file: name });
  if (expected.digest.sha256 !== sha256(bytes)) {
    throw refuse('digest_mismatch', `${name} differs from the signed file`, { file: name });
  }
}

/** Files that nothing could read are refused before they are signed. @throws output_failed */
function assertReadable(files: Files, limit: number): void {
  const cannot = (what: string, size: number, most: number) =>
    new VadeError('output_failed', `nothing was signed: ${what} would have ${size} bytes; at most ${most} are read`);
  let all = 0;
  for (const [path, { length }] of files) {
    if (length > limit) throw cannot(path, length, limit);
    all += length;
  }
  if (all > MAX_GARDEN_BYTES) throw cannot('a garden', all, MAX_GARDEN_BYTES);
}

function fileSubjects(files: Files): Subject[] {
  return [...files].map(([name, bytes]) => ({
    ...subject(name, sha256(bytes)),
    annotations: { size: bytes.length },
  }));
}

function subject(name: string, digest: string): Subject {
  return { name, digest: { sha256: digest } };
}
