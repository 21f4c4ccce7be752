import type { OpenBundle } from '../../compiler/io/bundle/open-bundle.ts';
import { grantClaim, judgeGrant, type GrantVerdict } from '../../compiler/trust/grant.ts';
import type { Gardens } from '../rollout/gardens.ts';

/** The grants of one bundle: the readers it names, by garden, and the cached verdicts. */
interface BundleGrants {
  readonly readers: ReadonlyMap<string, readonly string[]>;
  readonly verdicts: Map<string, GrantVerdict>;
}

/** Retry interval for an unreadable file, in milliseconds. */
const RETRY_MS = 60_000;

/** Computed once per bundle, and released with it. */
const grantsByBundle = new WeakMap<OpenBundle, BundleGrants>();

/**
 * Whether an agent was granted another agent's garden (§21.4.4), by approvals valid at this instant under the trust
 * root in force. Unless the root names the agent as a reader, nothing of the garden is read: the response time must not
 * reveal whether it exists.
 *
 * @param reader short name
 * @param at milliseconds since 1970
 */
export function holdsGrant(gardens: Gardens, garden: string, reader: string, at: number): boolean {
  const { readers, verdicts } = grantsOf(gardens.bundle);
  if (readers.get(garden)?.includes(reader) !== true) return false;
  const key = `${garden} ${reader}`;
  const known = verdicts.get(key);
  if (known && known.from <= at && at < known.until) return known.holds;
  const verdict = verify(gardens, garden, reader, at);
  verdicts.set(key, verdict);
  return verdict.holds;
}

function grantsOf(bundle: OpenBundle): BundleGrants {
  const known = grantsByBundle.get(bundle);
  if (known) return known;
  const named = bundle.root.predicate.gardens.flatMap(({ garden, readers }) =>
    readers ? [[garden, readers] as const] : [],
  );
  const grants = { readers: new Map(named), verdicts: new Map<string, GrantVerdict>() };
  grantsByBundle.set(bundle, grants);
  return grants;
}

/** The bundle's signer can name a reader, but cannot grant: the signed approvals themselves are verified. */
function verify({ bundle, envelope }: Gardens, garden: string, reader: string, at: number): GrantVerdict {
  try {
    const proven = envelope(garden);
    const predicate = proven?.statement.predicate;
    if (!proven || !predicate?.agent) return { holds: false, from: at, until: Infinity };
    const paths = predicate.approvals.filter((it) => it.kind === 'grant').flatMap((it) => it.files);
    const files = new Map(paths.map((path) => [path, bundle.readFile(proven, path)]));
    const claim = grantClaim(bundle.root.predicate.deployment, garden, predicate.agent.agent_id, reader);
    return judgeGrant(files, claim, bundle.trust, at);
  } catch {
    // loading reports a garden that does not verify; it grants nothing
    return { holds: false, from: at, until: at + RETRY_MS };
  }
}
