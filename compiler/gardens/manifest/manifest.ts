import type { Fact } from '../../schema/bundle/fact.ts';
import { MANIFEST_TOKEN_BUDGET, type Manifest, type ManifestEntry } from '../../schema/bundle/manifest.ts';
import type { CountTokens } from '../../schema/count-tokens.ts';
import type { MigrationMode } from '../../schema/source/agent.ts';
import { byText, canonicalJson } from '../../trust/canonical.ts';

/** §21.2.2: the entry of a unit without its intents; members at their default are left out. */
export function toEntry(fact: Fact, mode: MigrationMode): ManifestEntry {
  const { delivery } = fact;
  const byPathAlone = fact.content === '' && fact.fallback !== null;
  return {
    name: fact.name,
    description: delivery.description,
    ...(delivery.required_by_task_types.length > 0 && {
      required_by_task_types: delivery.required_by_task_types,
    }),
    ...(delivery.guarantee_load && { guarantee_load: true as const }),
    ...(!byPathAlone && { fact_uri: fact.uri }),
    ...(fact.fallback && (byPathAlone || mode === 'coexistence') && { path: fact.fallback.path }),
  };
}

/** The members of a manifest besides its entries and their counts. */
export type ManifestHead = Pick<Manifest, 'manifest_version' | 'fact_uri' | 'last_updated_at'>;

/**
 * A manifest as served: compact canonical JSON, its entries by name (DESIGN §6.5).
 *
 * @param unlisted how many more units recall finds
 */
export function toManifest(
  { manifest_version, fact_uri, last_updated_at }: ManifestHead,
  entries: readonly ManifestEntry[],
  unlisted: number,
  countTokens: CountTokens,
): Manifest {
  const withCount = (token_count: number): Manifest => ({
    ...{ manifest_version, fact_uri, last_updated_at, token_count },
    entries: [...entries].sort((a, b) => byText(a.name, b.name)),
    ...(unlisted > 0 && { unlisted }),
  });
  let count = countTokens(canonicalJson(withCount(MANIFEST_TOKEN_BUDGET)));
  // the count is part of the counted text: count again, because its digits may change it by a token
  count = countTokens(canonicalJson(withCount(count)));
  return withCount(count);
}
