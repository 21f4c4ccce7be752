import type { OpenBundle, ProvenEnvelope } from '../compiler/edge/bundle.ts';
import { filesOf, type ProvenFiles } from '../compiler/edge/reading.ts';
import type { Attested } from '../compiler/model/attested.ts';
import { KEPT_ROOTS } from '../compiler/model/bundle.ts';
import { VadeError } from '../compiler/model/errors.ts';
import { formatUri, parseUri, SHARED, type InstructionUri } from '../compiler/model/uri.ts';
import { mayRead } from '../compiler/trust/authority.ts';
import { callerOf, denied } from './access.ts';
import type { Earlier } from './earlier.ts';
import type { Gardens } from './gardens.ts';
import type { Asked } from './identity.ts';

interface Facts {
  readonly gardens: Gardens;
  readonly earlier: Earlier;
}

/**
 * One fact by URI, in force or not any more, with what vouches for it. An agent is told the same of every
 * garden that is not its own, whether it exists or not.
 *
 * @throws request_invalid, instruction_scope_denied, fact_not_found
 */
export function readAttested({ identity, edition: { gardens } }: Asked, text: string, earlier: Earlier): Attested {
  const uri = parseUri(text);
  if (!uri) throw new VadeError('request_invalid', 'not an instruction: URI of one version');
  const garden = gardenOf(gardens, uri);
  const caller = callerOf(identity, gardens);
  if (caller.kind === 'agent' && (garden === null || !mayRead(caller, garden))) throw denied();
  if (garden === null) throw notFound(text);
  const canonical = formatUri({ ...uri, agent: garden === SHARED ? null : garden });
  if (uri.unit === 'manifest') {
    const found = findManifest({ gardens, earlier }, garden, canonical);
    if (!found) throw notFound(text);
    return { uri: canonical, name: 'manifest', version: uri.version, ...found };
  }
  const proven = gardens.envelope(garden);
  if (!proven?.statement.subject.some((it) => it.name === canonical)) throw notFound(text);
  const found = gardens.fact(garden, canonical);
  if (!found) throw notFound(text);
  return { ...found, attestation_chain: chainOf(canonical, proven) };
}

/** §21.4.3: the garden's signed statement vouches for all that is in it. */
function chainOf(subject: string, { envelope }: ProvenEnvelope) {
  return [{ subject, envelope: JSON.parse(envelope.toString('utf8')) as unknown }];
}

type Place = Pick<Gardens, 'bundle'> & ProvenFiles;

/**
 * One version of an agent's manifest: the one in force, or of a root that the bundle's folder still keeps. A former agent
 * of the same short name had others, which are nobody's any more.
 */
function findManifest({ gardens, earlier }: Facts, garden: string, uri: string) {
  const agent = gardens.envelope(garden)?.statement.predicate.agent?.agent_id;
  let valid_until: string | null = null;
  let place: Place | null = gardens;
  for (let steps = 0; place && steps <= KEPT_ROOTS; steps++) {
    const proven = envelopeIn(place, garden, place === gardens);
    const predicate = proven?.statement.predicate;
    if (proven && predicate && predicate.agent?.agent_id === agent) {
      const subject = proven.statement.subject.find((it) => it.name === uri);
      if (subject) {
        const content = place.file(garden, 'manifest.json')?.toString('utf8') ?? '';
        const attestation_chain = chainOf(uri, proven);
        return { content, digest: subject.digest.sha256, valid_until, ...predicate.manifest, attestation_chain };
      }
      valid_until = predicate.manifest?.created_at ?? predicate.committed_at;
    }
    const before: OpenBundle | null = earlier(place.bundle);
    place = before && { bundle: before, ...filesOf(before) };
  }
  return null;
}

/** A garden of an earlier root that is damaged takes nothing else down. @throws recall_backend_unavailable for the root in force */
function envelopeIn({ envelope }: Place, garden: string, isInForce: boolean): ProvenEnvelope | null {
  try {
    return envelope(garden);
  } catch (error) {
    if (isInForce) throw error;
    return null;
  }
}

/** The garden a URI speaks of, where this bundle has it. */
function gardenOf(gardens: Gardens, uri: InstructionUri): string | null {
  if (uri.deployment !== gardens.bundle.root.predicate.deployment) return null;
  return uri.agent === null ? SHARED : gardens.find(uri.agent);
}

function notFound(text: string): VadeError {
  return new VadeError('fact_not_found', `there is no ${text}`);
}
