import type { Bundle } from '../model/bundle.ts';
import type { Garden } from '../model/garden.ts';
import { SHARED } from '../model/uri.ts';
import { attestRoot } from '../trust/attest.ts';
import { byText, canonicalBytes } from '../trust/canonical.ts';
import type { Soil } from './soil.ts';
import type { Plot } from './plot.ts';
import { instant } from './version.ts';

/** Gathers the gardens of one compile under a signed root (DESIGN §7, §8). */
export function sealBundle(
  soil: Soil,
  trust: ReadonlyMap<number, Buffer>,
  gardens: readonly Garden[],
  plots: readonly Plot[],
): Bundle {
  const last = soil.commits.at(-1);
  const ids = new Map(plots.map((plot) => [plot.name, plot.agent.config.agent_id]));
  const sorted = [...gardens].sort((a, b) => byText(a.name, b.name));
  const files = new Map([
    ['org.json', canonicalBytes({ ...soil.org, model: soil.model?.pin ?? null })],
    ...[...trust].map(([version, bytes]) => [`trust/${version}.json`, bytes] as const),
  ]);
  const predicate = {
    deployment: soil.org.deployment,
    serial: soil.commits.length,
    commit: last?.id ?? '',
    committed_at: instant(last?.committed ?? 0),
    compiler: soil.compiler,
    gardens: sorted.map(({ name, digest }) => ({
      garden: name,
      agent_id: name === SHARED ? null : (ids.get(name) ?? null),
      digest,
    })),
  };
  return attestRoot(predicate, sorted, files, soil.signers);
}
