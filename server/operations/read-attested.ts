import type { Attested } from '../../compiler/schema/api/attested.ts';
import type { Fact, Fallback, FactVersion } from '../../compiler/schema/bundle/fact.ts';
import { VadeError } from '../../compiler/schema/errors.ts';
import { formatUri, parseUri, SHARED, type InstructionUri } from '../../compiler/schema/uri.ts';
import { mayRead } from '../../compiler/trust/consent.ts';
import { callerOf, denied } from '../auth/authorize.ts';
import type { Gardens } from '../rollout/gardens.ts';
import type { Call } from './call.ts';
import { chainOf, findManifest } from './find-manifest.ts';

/**
 * One fact by URI, in force or superseded, with its attestation. For any garden but its own, an agent gets the same
 * error whether the garden exists or not.
 *
 * @throws request_invalid, instruction_scope_denied, fact_not_found
 */
export function readAttested(
  { identity, snapshot: { gardens }, services: { previousBundle } }: Call,
  text: string,
): Attested {
  const uri = parseUri(text);
  if (!uri) throw new VadeError('request_invalid', 'expected an instruction: URI with a version');
  const garden = gardenOf(gardens, uri);
  const caller = callerOf(identity, gardens);
  if (caller.kind === 'agent' && (garden === null || !mayRead(caller, garden))) throw denied();
  if (garden === null) throw notFound(text);
  const canonical = formatUri({ ...uri, agent: garden === SHARED ? null : garden });
  if (uri.unit === 'manifest') {
    const found = findManifest(gardens, previousBundle, { garden, uri: canonical, version: uri.version });
    if (!found) throw notFound(text);
    return { uri: canonical, name: 'manifest', version: uri.version, ...found };
  }
  const proven = gardens.envelope(garden);
  if (!proven?.statement.subject.some((it) => it.name === canonical)) throw notFound(text);
  const found = gardens.fact(garden, canonical);
  if (!found) throw notFound(text);
  const legacy = legacyOf(found);
  if (legacy === null) return { ...found, attestation_chain: chainOf(canonical, proven) };
  const subject = `files/${legacy.path}`;
  const content = gardens.file(garden, subject)?.toString('utf8') ?? '';
  const { digest, tokens } = legacy;
  return { ...found, content, digest, tokens, attestation_chain: chainOf(subject, proven) };
}

/** The legacy file of a unit without own text: its URI leads to the text that agents get (§21.6.1); else null. */
function legacyOf(found: Fact | FactVersion): Fallback | null {
  return 'fallback' in found && found.content === '' && found.withheld === undefined ? found.fallback : null;
}

/** The garden of a URI; null if this bundle does not have it. */
function gardenOf(gardens: Gardens, uri: InstructionUri): string | null {
  if (uri.deployment !== gardens.bundle.root.predicate.deployment) return null;
  return uri.agent === null ? SHARED : gardens.find(uri.agent);
}

function notFound(text: string): VadeError {
  return new VadeError('fact_not_found', `there is no ${text}`);
}
