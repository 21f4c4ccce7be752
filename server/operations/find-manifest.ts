import type { OpenBundle, ProvenEnvelope } from '../../compiler/io/bundle/open-bundle.ts';
import { filesOf, type ProvenFiles } from '../../compiler/io/bundle/read-garden.ts';
import { openSuperseded, supersededVersions, type Superseded } from '../../compiler/io/bundle/superseded-manifests.ts';
import type { AttestedManifest } from '../../compiler/schema/api/attested.ts';
import { KEPT_ROOTS } from '../../compiler/schema/bundle/bundle.ts';
import type { GardenPredicate } from '../../compiler/schema/bundle/garden.ts';
import { orNull } from '../../compiler/schema/or-null.ts';
import type { Gardens } from '../rollout/gardens.ts';
import type { FindPreviousBundle } from '../rollout/previous-bundle.ts';

type ManifestSource = Pick<Gardens, 'bundle'> & ProvenFiles;

/** The start of a known version. */
interface Start {
  readonly version: number;
  readonly since: string;
}

/** A found manifest, without the fields that its URI holds. */
type FoundManifest = Omit<AttestedManifest, 'uri' | 'name' | 'version'>;

/** The requested manifest. */
interface Query {
  readonly garden: string;
  readonly uri: string;
  readonly version: number;
}

/**
 * One version of an agent's manifest: the one in force, one of a root still in the bundle's folder, or one archived as
 * superseded. Manifests of a former agent with the same short name are not found.
 */
export function findManifest(
  gardens: Gardens,
  previousBundle: FindPreviousBundle,
  sought: Query,
): FoundManifest | null {
  const agent = gardens.envelope(sought.garden)?.statement.predicate.agent?.agent_id;
  const known: Start[] = [];
  for (const place of placesOf(gardens, previousBundle)) {
    const proven = envelopeIn(place, sought.garden, place === gardens);
    if (proven?.statement.predicate.agent?.agent_id !== agent || !proven) continue;
    const found = foundIn(place, proven, sought, known.at(-1)?.since ?? null);
    if (found) return found;
    known.push(knownOf(proven.statement.predicate));
  }
  return findSuperseded(gardens.bundle, agent, sought, known);
}

/** The current bundle, then the previous roots that its folder keeps. */
function* placesOf(gardens: Gardens, previousBundle: FindPreviousBundle): Generator<ManifestSource> {
  let place: ManifestSource | null = gardens;
  for (let steps = 0; place && steps <= KEPT_ROOTS; steps++) {
    yield place;
    const before: OpenBundle | null = previousBundle(place.bundle);
    place = before && { bundle: before, ...filesOf(before) };
  }
}

function foundIn(place: ManifestSource, proven: ProvenEnvelope, { garden, uri }: Query, valid_until: string | null) {
  const subject = proven.statement.subject.find((it) => it.name === uri);
  if (!subject) return null;
  const content = place.file(garden, 'manifest.json')?.toString('utf8') ?? '';
  const attestation_chain = chainOf(uri, proven);
  const { manifest } = proven.statement.predicate;
  return { content, digest: subject.digest.sha256, valid_until, ...manifest, attestation_chain };
}

/** A damaged garden of a previous root counts as absent. @throws recall_backend_unavailable for the root in force */
function envelopeIn({ envelope }: ManifestSource, garden: string, isInForce: boolean): ProvenEnvelope | null {
  try {
    return envelope(garden);
  } catch (error) {
    if (isInForce) throw error;
    return null;
  }
}

/** @param known versions of the same agent, the one in force first: later versions are not revealed */
function findSuperseded(bundle: OpenBundle, agent: string | undefined, sought: Query, known: readonly Start[]) {
  const { garden, uri, version } = sought;
  const [inForce] = known;
  if (inForce === undefined || version >= inForce.version) return null;
  const found = openOwn(bundle, agent, garden, version);
  if (!found) return null;
  const { proven, ...document } = found;
  const valid_until = untilOf(bundle, agent, sought, known);
  const attestation_chain = chainOf(uri, proven);
  return { ...document, valid_until, ...proven.statement.predicate.manifest, attestation_chain };
}

/** When the next known version began. */
function untilOf(bundle: OpenBundle, agent: string | undefined, { garden, version }: Query, known: readonly Start[]) {
  const next = known.findLast((it) => it.version > version);
  for (const it of supersededVersions(bundle.folder, garden)) {
    if (it <= version || it >= (next?.version ?? 0)) continue;
    const between = openOwn(bundle, agent, garden, it);
    if (between) return knownOf(between.proven.statement.predicate).since;
  }
  return next?.since ?? null;
}

/** An archived manifest that no longer verifies counts as absent. */
function openOwn(bundle: OpenBundle, agent: string | undefined, garden: string, version: number): Superseded | null {
  const found = orNull(() => openSuperseded(bundle, garden, version));
  return found?.proven.statement.predicate.agent?.agent_id === agent ? found : null;
}

function knownOf({ manifest, manifest_version, committed_at }: GardenPredicate): Start {
  return { version: Number(manifest_version?.slice(1) ?? 0), since: manifest?.created_at ?? committed_at };
}

/** §21.4.3: the garden's signed statement attests everything in it. */
export function chainOf(subject: string, { envelope }: ProvenEnvelope) {
  return [{ subject, envelope: JSON.parse(envelope.toString('utf8')) as unknown }];
}
