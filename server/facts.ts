import type { Attested } from '../compiler/model/attested.ts';
import { VadeError } from '../compiler/model/errors.ts';
import { formatUri, parseUri, SHARED, type InstructionUri } from '../compiler/model/uri.ts';
import { mayRead } from '../compiler/trust/authority.ts';
import { callerOf, denied } from './access.ts';
import type { Gardens } from './gardens.ts';
import type { Asked } from './identity.ts';

/**
 * One fact by URI, in force or not any more, with what vouches for it. An agent is told the same of every
 * garden that is not its own, whether it exists or not.
 *
 * @throws request_invalid, instruction_scope_denied, fact_not_found
 */
export function readAttested({ identity, edition: { gardens } }: Asked, text: string): Attested {
  const uri = parseUri(text);
  if (!uri) throw new VadeError('request_invalid', 'not an instruction: URI of one version');
  const garden = gardenOf(gardens, uri);
  const caller = callerOf(identity, gardens);
  if (caller.kind === 'agent' && (garden === null || !mayRead(caller, garden))) throw denied();
  if (garden === null) throw notFound(text);
  const canonical = formatUri({ ...uri, agent: garden === SHARED ? null : garden });
  const proven = gardens.envelope(garden);
  const subject = proven?.statement.subject.find((it) => it.name === canonical);
  if (!proven || !subject) throw notFound(text);
  const envelope: unknown = JSON.parse(proven.envelope.toString('utf8'));
  const attestation_chain = [{ subject: canonical, envelope }];
  if (uri.unit === 'manifest') {
    const content = gardens.load(garden).manifest?.toString('utf8') ?? '';
    const { version } = uri;
    return { uri: canonical, name: 'manifest', version, content, digest: subject.digest.sha256, attestation_chain };
  }
  const found = gardens.fact(garden, canonical);
  if (!found) throw notFound(text);
  return { ...found, attestation_chain };
}

/** The garden a URI speaks of, where this bundle has it. */
function gardenOf(gardens: Gardens, uri: InstructionUri): string | null {
  if (uri.deployment !== gardens.bundle.root.predicate.deployment) return null;
  return uri.agent === null ? SHARED : gardens.find(uri.agent);
}

function notFound(text: string): VadeError {
  return new VadeError('fact_not_found', `there is no ${text}`);
}
