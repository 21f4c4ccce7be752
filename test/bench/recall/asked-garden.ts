import { previewInputs } from '../../../compiler/app/preview/preview-inputs.ts';
import { probesOf, readGardens, recalledUnits } from '../../../compiler/app/preview/read-gardens.ts';
import { indexUnit } from '../../../compiler/gardens/contents.ts';
import type { IndexedUnit } from '../../../compiler/recall/index/search-index.ts';
import type { Encoder } from '../../../compiler/recall/signals/semantic.ts';
import type { Probe } from '../../../compiler/schema/source/probe.ts';
import { SHARED, unitUri } from '../../../compiler/schema/uri.ts';
import { byText } from '../../../compiler/trust/canonical.ts';
import { worldIn } from '../../support/world.ts';

/** A prompt, and the names of the units of which it wants any. */
export interface Prompt {
  readonly text: string;
  readonly wanted: readonly string[];
}

/** The units of a garden, with prompts that want one, and prompts that none of them serves. */
export interface AskedGarden {
  /** By name. */
  readonly units: readonly IndexedUnit[];
  readonly asked: readonly Prompt[];
  readonly none: readonly string[];
  /** Names of units that are given without being asked for. */
  readonly guaranteed: readonly string[];
  /** As a compile chooses both for the garden's language. */
  readonly encoder: Encoder | null;
  readonly functionWords: readonly string[] | null;
}

/** Prompts for the gardens of a repository. */
interface Prompts {
  readonly asked: (units: readonly IndexedUnit[], probes: readonly Probe[], agent: string) => readonly Prompt[];
  readonly none: (agent: string) => readonly string[];
}

/** The gardens of a repository with the units that a compile would index, phrases among them. */
export async function askedGardens(
  encoder: Encoder | null,
  { asked, none }: Prompts,
  repo: string,
  source = 'instructions',
): Promise<AskedGarden[]> {
  const read = await readGardens({ repo, source, ref: undefined }, worldIn('.'));
  const gardens: AskedGarden[] = [];
  for (const agent of [...read.configuration.agents.keys()].sort()) {
    const inputs = await previewInputs(read, agent, encoder);
    const recalled = recalledUnits(read, agent);
    const units = recalled.map((unit) => {
      const own = unit.garden === SHARED ? SHARED : agent;
      const told = read.configuration.phrases.get(own)?.set.units[unit.name]?.phrases ?? [];
      return indexUnit(unit, unitUri(inputs.deployment, own, unit.name, 1), told, inputs);
    });
    units.sort((a, b) => byText(a.name, b.name));
    const { encoder: own, functionWords = null } = inputs;
    gardens.push({
      units,
      asked: asked(units, probesOf(read, agent), agent),
      none: none(agent),
      guaranteed: recalled.flatMap(({ name, delivery }) => (delivery.guarantee_load ? [name] : [])),
      encoder: own,
      functionWords,
    });
  }
  return gardens;
}
