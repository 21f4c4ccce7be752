import type { Bundle, RootEntry } from '../schema/bundle/bundle.ts';
import type { CapabilityGarden } from '../schema/bundle/capability-garden.ts';
import type { Garden } from '../schema/bundle/garden.ts';
import { CARRIED } from '../schema/bundle/withdrawal.ts';
import { instant } from '../schema/primitives.ts';
import { attestRoot } from '../trust/attest.ts';
import { byText, canonicalBytes } from '../trust/canonical.ts';
import type { CompileContext } from './compile-context.ts';

/**
 * Signs the root statement that lists the gardens of one compile (DESIGN §7, §8).
 *
 * @param trust envelopes of trust roots by version
 * @param entries one for every garden
 * @param built the gardens among them that recall answers from and that were compiled now
 */
export function signBundle(
  context: Pick<
    CompileContext,
    'commits' | 'compiler' | 'administratorDecisions' | 'model' | 'org' | 'places' | 'signers' | 'sources'
  >,
  trust: ReadonlyMap<number, Buffer>,
  entries: readonly RootEntry[],
  built: readonly Garden[],
  capabilities: CapabilityGarden | null,
): Bundle {
  const last = context.commits.at(-1);
  const files = new Map([
    ['org.json', canonicalBytes({ ...context.org, model: context.model?.pin ?? null })],
    ...[...trust].map(([version, bytes]) => [`trust/${version}.json`, bytes] as const),
    ...carried(context.administratorDecisions.withdrawn),
  ]);
  const predicate = {
    deployment: context.org.deployment,
    serial: context.places.get(last?.id ?? '') ?? 1,
    commit: last?.id ?? '',
    committed_at: instant(last?.committed ?? 0),
    compiler: context.compiler,
    ...(context.sources.unversioned && { unversioned: true as const }),
    gardens: [...entries].sort((a, b) => byText(a.garden, b.garden)),
  };
  return attestRoot(predicate, built, files, context.signers, capabilities);
}

/** Withdrawals stay effective for every reader of the root, even after their signers have left. */
function carried(withdrawn: ReadonlySet<string>): [string, Buffer][] {
  if (withdrawn.size === 0) return [];
  return [[CARRIED, canonicalBytes({ format: 1, withdrawn: [...withdrawn].sort(byText) })]];
}
