import { PhraseSet } from '../../schema/source/phrases.ts';
import { ProbeSet } from '../../schema/source/probe.ts';
import { SHARED } from '../../schema/uri.ts';
import { decodeYaml } from '../../sources/yaml.ts';

/** The files of phrases and of probes, by name. */
export interface SentenceFiles {
  readonly phrases: ReadonlyMap<string, string>;
  readonly probes: ReadonlyMap<string, string>;
}

/** The phrases that find units of an agent now, and its probes; none of a file that a compile refuses. */
export function storedIn({ phrases, probes }: SentenceFiles, agent: string) {
  const own = [SHARED, agent].map((it) => `${it}.yaml`);
  const sets = own.map((it) => decodeYaml(PhraseSet, phrases.get(it) ?? '', it).value?.units ?? {});
  return {
    phrases: new Map(sets.flatMap((it) => Object.entries(it)).map(([unit, it]) => [unit, it.phrases] as const)),
    probes: decodeYaml(ProbeSet, probes.get(`${agent}.yaml`) ?? '', agent).value?.probes ?? [],
  };
}
