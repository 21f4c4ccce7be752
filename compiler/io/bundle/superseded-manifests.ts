import { lstatSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { KEPT_MANIFESTS, KEPT_MANIFEST_BYTES, MAX_ENVELOPE_BYTES, MAX_FILE_BYTES } from '../../schema/bundle/bundle.ts';
import { GardenStatement, IN_TOTO_TYPE } from '../../schema/bundle/garden.ts';
import { refuse } from '../../schema/refusals.ts';
import { unitUri } from '../../schema/uri.ts';
import { assertSubject } from '../../trust/attest.ts';
import { sha256 } from '../../trust/canonical.ts';
import { peekPayload } from '../../trust/dsse.ts';
import { syncFolder } from '../files/durable.ts';
import { assertNotExhausted, listNames, readCapped, removeTree } from '../files/tree.ts';
import { GARDEN_ENVELOPE, gardenFolder, type OpenBundle } from './open-bundle.ts';
import { proveEnvelope, type ProvenEnvelope } from './prove-root.ts';

// A manifest depends on the compiler and the trust root of its time, so a later compile cannot build it again from git;
// and a bundle that contained the previous manifest would not have the same bytes from the same commit. So published
// manifests are kept outside the root's statement, each under its garden's own signature.

const SUPERSEDED = 'superseded';
const MANIFEST = 'manifest.json';
const VERSION = /^[1-9]\d{0,14}$/;

/** A verified version of a manifest that belongs to a garden that no kept root names. */
export interface Superseded {
  readonly proven: ProvenEnvelope;
  readonly content: string;
  readonly digest: string;
}

/**
 * Removes a garden that no root names, except for its manifest and the envelope that signs it. Files are only removed
 * and renamed, so a full disk loses no manifest; the next call completes an interrupted one.
 */
export function supersede(folder: string, garden: string, digest: string): void {
  const place = gardenFolder(folder, garden, digest);
  const version = claimedVersion(place);
  if (version === null) {
    removeTree(place);
    return;
  }
  for (const name of readdirSync(place)) if (name !== MANIFEST && name !== GARDEN_ENVELOPE) removeTree(join(place, name));
  const kept = manifestPlace(folder, garden, version);
  mkdirSync(dirname(kept), { recursive: true });
  removeTree(kept);
  renameSync(place, kept);
  syncFolder(dirname(kept));
}

/** The version that a statement claims; `openSuperseded` verifies it. */
function claimedVersion(place: string): number | null {
  try {
    const payload = peekPayload(readCapped(join(place, GARDEN_ENVELOPE), MAX_ENVELOPE_BYTES), IN_TOTO_TYPE);
    const { predicate } = GardenStatement.parse(JSON.parse(payload.toString('utf8')));
    const version = predicate.manifest_version?.slice(1) ?? '';
    return VERSION.test(version) ? Number(version) : null;
  } catch (error) {
    assertNotExhausted(error);
    return null;
  }
}

/** Keeps the newest manifests of every existing garden, within the limits. */
export function boundSuperseded(folder: string, gardens: ReadonlySet<string>): void {
  for (const garden of listNames(join(folder, SUPERSEDED))) {
    const place = join(folder, SUPERSEDED, garden);
    if (!gardens.has(garden)) {
      removeTree(place);
      continue;
    }
    // listed once: if a first listing failed, a second one would remove everything
    const names = listNames(place);
    const kept = new Set(newestWithin(folder, garden, versionsOf(names)).map(String));
    for (const name of names) if (!kept.has(name)) removeTree(join(place, name));
  }
}

function newestWithin(folder: string, garden: string, versions: readonly number[]): number[] {
  let left = KEPT_MANIFEST_BYTES;
  const newest = versions.toReversed().slice(0, KEPT_MANIFESTS);
  return newest.filter((version) => (left -= sizeOf(manifestPlace(folder, garden, version))) >= 0);
}

function sizeOf(place: string): number {
  return listNames(place).reduce((sum, name) => sum + lstatSync(join(place, name)).size, 0);
}

/** The kept versions of a garden's manifest, oldest first; not verified. */
export function supersededVersions(folder: string, garden: string): number[] {
  return versionsOf(listNames(join(folder, SUPERSEDED, garden)));
}

function versionsOf(names: readonly string[]): number[] {
  return names
    .filter((name) => VERSION.test(name))
    .map(Number)
    .sort((a, b) => a - b);
}

/**
 * One kept version, verified with the keys of the trust root in force; a key that was removed from it does not count.
 *
 * @throws bundle_unverified
 */
export function openSuperseded(bundle: OpenBundle, garden: string, version: number): Superseded {
  const place = manifestPlace(bundle.folder, garden, version);
  const envelope = readCapped(join(place, GARDEN_ENVELOPE), MAX_ENVELOPE_BYTES);
  const proven = proveEnvelope(garden, sha256(envelope), envelope, bundle);
  const bytes = readCapped(join(place, MANIFEST), MAX_FILE_BYTES);
  const subjects = new Map(proven.statement.subject.map((it) => [it.name, it]));
  assertSubject(subjects, MANIFEST, bytes);
  assertSubject(subjects, unitUri(bundle.root.predicate.deployment, garden, 'manifest', version), bytes);
  if (proven.statement.predicate.manifest_version !== `v${version}`)
    throw refuse('statement_misplaced', `the manifest of ${garden} kept as version ${version} is another version`);
  return { proven, content: bytes.toString('utf8'), digest: sha256(bytes) };
}

function manifestPlace(folder: string, garden: string, version: number): string {
  return join(folder, SUPERSEDED, garden, String(version));
}
