import { named } from '../../quality/probe-faults.ts';
import type { ListedUnits } from '../../schema/bundle/manifest.ts';

/** A bundle as a compile wrote it, or would write it. */
export interface CompiledBundle {
  readonly effect: string;
  readonly revision: string;
  readonly deployment: string;
  readonly serial: number;
  readonly gardens: number;
  /** How many of them are unchanged. */
  readonly reused: number;
  readonly listed: readonly ListedUnits[];
  readonly out: string;
  /** Paths that were damaged. */
  readonly repaired: readonly string[];
}

/** The bundle for people, then how many units the manifests list, and which have no trigger. */
export function compiledText({ effect, deployment, serial, gardens, reused, listed, ...it }: CompiledBundle): string {
  const { length } = it.repaired;
  const rewritten = length > 0 ? `, ${length} damaged ${effect.startsWith('would_') ? 'to be ' : ''}repaired` : '';
  const head = `${effect}: ${deployment} serial ${serial}: ${gardens} gardens (${reused} unchanged${rewritten}) in ${it.out}`;
  return `${head}, revision ${it.revision}${tellListed(listed)}${tellUntriggered(listed)}`;
}

/** Maximum number of agents that are named; the data have all. */
const MOST_TOLD = 10;

/** Numbers of units that the manifests list; the manifests that leave out most come first. */
function tellListed(listed: readonly ListedUnits[]): string {
  if (listed.length === 0) return '';
  const left = (it: ListedUnits) => it.units - it.listed;
  const told = listed.toSorted((a, b) => left(b) - left(a)).slice(0, MOST_TOLD);
  const more = listed.length > told.length ? `, and ${listed.length - told.length} more agents` : '';
  return `\nunits in the manifest: ${told.map((it) => `${it.agent} ${it.listed} of ${it.units}`).join(', ')}${more}`;
}

/** No error and no warning: other agents' texts may lead to such a unit, or its probes show that it is found. */
function tellUntriggered(listed: readonly ListedUnits[]): string {
  const lacking = listed.filter((it) => it.untriggered.length > 0);
  if (lacking.length === 0) return '';
  const told = lacking
    .slice(0, MOST_TOLD)
    .map((it) => `${it.agent}: ${named(it.untriggered.slice(0, MOST_TOLD), it.untriggered.length)}`);
  const more = lacking.length > told.length ? `; and ${lacking.length - told.length} more agents` : '';
  return `\nunits without triggers, which the coverage gate cannot check: ${told.join('; ')}${more}`;
}
