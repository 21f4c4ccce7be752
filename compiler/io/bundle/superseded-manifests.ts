import { lstatSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { KEPT_MANIFESTS, KEPT_MANIFEST_BYTES, MAX_ENVELOPE_BYTES, MAX_FILE_BYTES } from '../../schema/bundle/bundle.ts';
import { GardenStatement, IN_TOTO_TYPE } from '../../schema/bundle/garden.ts';
import { refuse } from '../../schema/refusals.ts';
import { unitUri } from '../../schema/uri.ts';
import { assertSubject } from '../../trust/attest.ts';
import { sha256 } from '../../trust/canonical.ts';
import { peekPayload } from '../../trust/dsse.ts';
import { syncFolder } from '../files/durable.ts';
import { listNames, readCapped } from '../files/tree.ts';
import { GARDEN_ENVELOPE, gardenFolder, type OpenBundle } from './open-bundle.ts';
import { proveEnvelope, type ProvenEnvelope } from './proof.ts';

// A manifest is made by the compiler and the trust of its time, so that no later compile can make it anew from git, and a
// bundle that carried the one before would not be the same bytes from the same commit. What was published is kept
// instead, beside what is signed by the root, under a signature of its own.

const SUPERSEDED = 'superseded';
const MANIFEST = 'manifest.json';
const VERSION = /^[1-9]\d{0,14}$/;

/** A version of a manifest whose garden no root names any more, proven. */
export interface Superseded {
  readonly proven: ProvenEnvelope;
  readonly content: string;
  readonly digest: string;
}

/**
 * Takes a garden that no root names any more away, but for its manifest and what vouches for that. Nothing is written, so
 * that a full disk loses none; one that a kill interrupts is taken up by the next call.
 */
export function supersede(folder: string, garden: string, digest: string): void {
  const place = gardenFolder(folder, garden, digest);
  const version = claimedVersion(place);
  if (version === null) {
    remove(place);
    return;
  }
  for (const name of readdirSync(place)) if (name !== MANIFEST && name !== GARDEN_ENVELOPE) remove(join(place, name));
  const kept = manifestPlace(folder, garden, version);
  mkdirSync(dirname(kept), { recursive: true });
  remove(kept);
  renameSync(place, kept);
  syncFolder(dirname(kept));
}

/** What a statement says of itself; whether it may is judged when the manifest is asked for. */
function claimedVersion(place: string): number | null {
  try {
    const payload = peekPayload(readCapped(join(place, GARDEN_ENVELOPE), MAX_ENVELOPE_BYTES), IN_TOTO_TYPE);
    const { predicate } = GardenStatement.parse(JSON.parse(payload.toString('utf8')));
    const version = predicate.manifest_version?.slice(1) ?? '';
    return VERSION.test(version) ? Number(version) : null;
  } catch {
    return null;
  }
}

/** Keeps the newest manifests of every garden that is there, as many as the bounds allow. */
export function boundSuperseded(folder: string, gardens: ReadonlySet<string>): void {
  for (const garden of listNames(join(folder, SUPERSEDED))) {
    const place = join(folder, SUPERSEDED, garden);
    if (!gardens.has(garden)) {
      remove(place);
      continue;
    }
    const kept = new Set(newestWithin(folder, garden).map(String));
    for (const name of listNames(place)) if (!kept.has(name)) remove(join(place, name));
  }
}

function newestWithin(folder: string, garden: string): number[] {
  let left = KEPT_MANIFEST_BYTES;
  const newest = supersededVersions(folder, garden).reverse().slice(0, KEPT_MANIFESTS);
  return newest.filter((version) => (left -= sizeOf(manifestPlace(folder, garden, version))) >= 0);
}

function sizeOf(place: string): number {
  return listNames(place).reduce((sum, name) => sum + lstatSync(join(place, name)).size, 0);
}

/** The versions of a garden's manifest that are kept, oldest first; none of them is proven yet. */
export function supersededVersions(folder: string, garden: string): number[] {
  const names = listNames(join(folder, SUPERSEDED, garden)).filter((name) => VERSION.test(name));
  return names.map(Number).sort((a, b) => a - b);
}

/**
 * One of them, proven by the keys of the root in force: a key that was taken out of it vouches for nothing here.
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
    throw refuse('statement_misplaced', `the manifest of ${garden} that is kept as version ${version} is another`);
  return { proven, content: bytes.toString('utf8'), digest: sha256(bytes) };
}

function manifestPlace(folder: string, garden: string, version: number): string {
  return join(folder, SUPERSEDED, garden, String(version));
}

function remove(path: string): void {
  rmSync(path, { recursive: true, force: true });
}
