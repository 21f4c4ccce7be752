import type { LeftOut, Neighbour, SentenceKind } from '../../brief/brief.ts';
import { lintText } from '../../lint/lint-text.ts';
import { VadeError } from '../../schema/errors.ts';
import type { Unit } from '../../schema/source/unit.ts';
import { SHARED } from '../../schema/uri.ts';
import { gardenOf, unitName } from '../../sources/classify-files.ts';
import { byText, sha256 } from '../../trust/canonical.ts';
import type { Arguments } from '../../world/flags/flag.ts';
import type { BRIEF } from '../../world/flags/quality.ts';
import { probesOf, recalledUnits } from '../preview/read-gardens.ts';
import { phrasesNow, storedFor, type Handbook } from './open-handbook.ts';

export type BriefFlags = Arguments<typeof BRIEF>;

/** The units of a brief, their neighbours, and the units that are left out. */
export interface BriefUnits {
  /** By name. */
  readonly units: readonly Unit[];
  readonly neighbours: readonly Neighbour[];
  readonly leftOut: readonly LeftOut[];
}

/** The units of a garden to write for, without those that cannot be shown. @throws argument_invalid */
export async function chooseUnits(kind: SentenceKind, handbook: Handbook, flags: BriefFlags): Promise<BriefUnits> {
  const { agent, unit, missing } = flags;
  const refused = await refusedUnits(handbook, agent);
  const isShown = ({ name }: Unit) => !refused.has(name);
  const own = unit === undefined ? ownUnits(kind, handbook, agent) : [requireUnit(kind, handbook, agent, unit)];
  const hidden = own.filter((it) => !isShown(it)).map(({ name }) => name);
  const unsafe = unit === undefined ? [...hidden, ...quarantinedIn(handbook, agent)].sort() : hidden;
  const bare = own.filter((it) => isShown(it) && it.content === '');
  const isMissing = missingFrom(kind, handbook, agent);
  const present = own.filter((it) => isShown(it) && it.content !== '');
  const declined = kind === 'phrases' && unit === undefined ? present.filter(declinedIn(handbook, agent)) : [];
  const units = present.filter((it) => !declined.includes(it) && (!missing || isMissing(it)));
  const neighbours = recalledUnits(handbook, agent).filter(isShown);
  return {
    units: units.sort((a, b) => byText(a.name, b.name)),
    neighbours: neighbours.map(({ name, delivery: { description } }) => ({ name, description })),
    leftOut: [
      ...unsafe.map((it) => ({ unit: it, reason: 'unsafe' as const })),
      ...bare.map(({ name }) => ({ unit: name, reason: 'no_text' as const })),
      ...declined.map(({ name }) => ({ unit: name, reason: 'declined' as const })),
    ],
  };
}

/** A garden's own units; for probes, which are an agent's, also the shared ones that its `agent.yaml` names. */
function ownUnits(kind: SentenceKind, { units, configuration }: Handbook, agent: string): readonly Unit[] {
  const own = units.get(agent) ?? [];
  if (kind === 'phrases') return own;
  const named = configuration.agents.get(agent)?.config.shared ?? [];
  return [...own, ...(units.get(SHARED) ?? []).filter(({ name }) => named.includes(name))];
}

/** @throws argument_invalid */
function requireUnit(kind: SentenceKind, handbook: Handbook, agent: string, name: string): Unit {
  const known = kind === 'phrases' ? (handbook.units.get(agent) ?? []) : recalledUnits(handbook, agent);
  const unit = known.find((it) => it.name === name);
  if (unit) return unit;
  const isUnsafe = quarantinedIn(handbook, agent).includes(name);
  const why = isUnsafe ? 'vade lint refuses its text' : `${agent} has no unit of its own with this name`;
  throw new VadeError('argument_invalid', `no brief for ${name}: ${why}`, { flag: 'unit' });
}

function quarantinedIn({ quarantined, sources }: Handbook, agent: string): string[] {
  return quarantined.filter((path) => gardenOf(sources.folder, path) === agent).map(unitName);
}

/**
 * Units of which lint refuses the words that a brief shows beside the text, as a reader of YAML gets them: an escape
 * hides them from the check of the file.
 */
async function refusedUnits(handbook: Handbook, agent: string): Promise<ReadonlySet<string>> {
  const known = phrasesNow(handbook, agent);
  const refused = new Set<string>();
  for (const { name, delivery } of recalledUnits(handbook, agent)) {
    const words = [delivery.description, ...delivery.load_triggers.intents, ...(known.get(name) ?? [])];
    if ((await lintText('', words.join('\n\n'))).length > 0) refused.add(name);
  }
  return refused;
}

/** Whether a unit has no phrases for the text that it has now, or no probe of the agent requires it. */
function missingFrom(kind: SentenceKind, handbook: Handbook, agent: string): (unit: Unit) => boolean {
  if (kind === 'probes') {
    const asked = new Set(probesOf(handbook, agent).flatMap(({ required }) => required));
    return ({ name }) => !asked.has(name);
  }
  return ({ name, content }) => {
    const { phrases = [], digest } = storedFor(handbook, agent, name) ?? {};
    return phrases.length === 0 || (digest !== undefined && digest !== sha256(content));
  };
}

/** Whether an answer said that a unit needs no phrases for the text that it has now: it is stored with none. */
function declinedIn(handbook: Handbook, agent: string): (unit: Unit) => boolean {
  return ({ name, content }) => {
    const { phrases, digest } = storedFor(handbook, agent, name) ?? {};
    return phrases?.length === 0 && digest === sha256(content);
  };
}
