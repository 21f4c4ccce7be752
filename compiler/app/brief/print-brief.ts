import type { BriefKind, LeftOut, Section } from '../../brief/brief.ts';
import { makeBrief } from '../../brief/make-brief.ts';
import { renderBrief } from '../../brief/render-brief.ts';
import { VadeError } from '../../schema/errors.ts';
import type { Unit } from '../../schema/source/unit.ts';
import { SHARED } from '../../schema/uri.ts';
import { gardenOf, unitName } from '../../sources/classify-files.ts';
import { byText, sha256 } from '../../trust/canonical.ts';
import type { Arguments } from '../flags/flag.ts';
import type { BRIEF } from '../flags/quality.ts';
import type { World } from '../world/world.ts';
import { openHandbook, phrasesNow, probesOf, recalledUnits, requireGarden, type Handbook } from './open-handbook.ts';

export type BriefFlags = Arguments<typeof BRIEF>;

/** A brief as it is printed. */
export interface PrintedBrief {
  readonly kind: BriefKind;
  readonly agent: string;
  /** Its id; null if there is nothing to write. */
  readonly brief: string | null;
  readonly part: number;
  readonly parts: number;
  readonly units: readonly string[];
  readonly left_out: readonly LeftOut[];
  readonly markdown: string;
}

/**
 * Prints what somebody needs to write phrases or probes for a garden of the working tree.
 *
 * @throws agent_not_found, argument_invalid, source_not_found, sources_invalid
 */
export async function printBrief(kind: BriefKind, flags: BriefFlags, world: World): Promise<PrintedBrief> {
  const handbook = await openHandbook(flags, world);
  const { agent, part, missing } = flags;
  requireGarden(handbook, flags.source, agent);
  if (kind === 'probes' && agent === SHARED) throw probesOfShared();
  const { units, leftOut } = unitsFor(kind, handbook, flags);
  const subject = { kind, deployment: handbook.org.deployment, garden: agent };
  const neighbours = recalledUnits(handbook, agent).map(({ name, delivery }) => ({
    name,
    description: delivery.description,
  }));
  const sections = sectionsOf(kind, handbook, agent, units);
  const { brief, parts } = makeBrief({ subject, sections, neighbours, leftOut, missing }, part);
  if (brief === null && parts > 0) throw noSuchPart(part, parts);
  return {
    kind,
    agent,
    brief: brief?.id ?? null,
    part,
    parts,
    units: brief?.sections.map(({ name }) => name) ?? [],
    left_out: leftOut,
    markdown: brief ? renderBrief(brief) : nothingFor(kind, flags),
  };
}

/** @throws argument_invalid for a unit that there is not */
function unitsFor(kind: BriefKind, handbook: Handbook, { agent, unit, missing }: BriefFlags) {
  const all = unit === undefined ? ownUnits(kind, handbook, agent) : [requireUnit(kind, handbook, agent, unit)];
  const bare = all.filter(({ content }) => content === '');
  const unsafe = unit === undefined ? unsafeIn(handbook, agent) : [];
  const leftOut = [
    ...unsafe.map((it) => ({ unit: it, reason: 'unsafe' as const })),
    ...bare.map(({ name }) => ({ unit: name, reason: 'no_text' as const })),
  ];
  const isMissing = missingFrom(kind, handbook, agent);
  const units = all.filter((it) => it.content !== '' && (!missing || isMissing(it)));
  return { units: [...units].sort((a, b) => byText(a.name, b.name)), leftOut };
}

/** A garden's own units; for probes, which are an agent's, also the shared ones that its `agent.yaml` names. */
function ownUnits(kind: BriefKind, { units, configuration }: Handbook, agent: string): readonly Unit[] {
  const own = units.get(agent) ?? [];
  if (kind === 'phrases') return own;
  const named = configuration.agents.get(agent)?.config.shared ?? [];
  return [...own, ...(units.get(SHARED) ?? []).filter(({ name }) => named.includes(name))];
}

function requireUnit(kind: BriefKind, handbook: Handbook, agent: string, name: string): Unit {
  const known = kind === 'phrases' ? (handbook.units.get(agent) ?? []) : recalledUnits(handbook, agent);
  const unit = known.find((it) => it.name === name);
  if (unit) return unit;
  const why = unsafeIn(handbook, agent).includes(name)
    ? 'vade lint refuses its text'
    : `${agent} has no unit of its own called so`;
  throw new VadeError('argument_invalid', `no brief for ${name}: ${why}`, { flag: 'unit' });
}

function unsafeIn({ quarantined, sources }: Handbook, agent: string): string[] {
  return quarantined.filter((path) => gardenOf(sources.folder, path) === agent).map(unitName);
}

/** Whether a unit has no phrases for the text that it has now, or no probe of the agent requires it. */
function missingFrom(kind: BriefKind, handbook: Handbook, agent: string): (unit: Unit) => boolean {
  if (kind === 'probes') {
    const asked = new Set(probesOf(handbook, agent).flatMap(({ required }) => required));
    return ({ name }) => !asked.has(name);
  }
  const set = handbook.phrases.get(agent)?.units ?? {};
  return ({ name, content }) => {
    const { phrases = [], digest } = Object.hasOwn(set, name) ? (set[name] ?? {}) : {};
    return phrases.length === 0 || (digest !== undefined && digest !== sha256(content));
  };
}

/** A brief for probes shows nothing of what finds a unit now. */
function sectionsOf(kind: BriefKind, handbook: Handbook, agent: string, units: readonly Unit[]): Section[] {
  const known = phrasesNow(handbook, agent);
  const isBlind = kind === 'probes';
  return units.map(({ name, content, delivery }) => ({
    name,
    content,
    description: delivery.description,
    intents: isBlind ? [] : delivery.load_triggers.intents,
    phrases: isBlind ? [] : (known.get(name) ?? []),
  }));
}

function probesOfShared(): VadeError {
  const message = 'probes are those of an agent: there are none of shared units alone';
  const suggestion = 'give the name of an agent that recalls the unit with --agent, and the shared unit with --unit';
  return new VadeError('argument_invalid', message, { flag: 'agent', suggestion });
}

function nothingFor(kind: BriefKind, { agent, missing }: BriefFlags): string {
  if (!missing) return `Nothing to write: ${agent} has no unit that can be shown.`;
  const all = `Nothing to write: every unit of ${agent} that can be shown`;
  return kind === 'phrases' ? `${all} has phrases for the text that it has.` : `${all} has a probe.`;
}

function noSuchPart(part: number, parts: number): VadeError {
  return new VadeError('argument_invalid', `there is no part ${part}: the brief has ${parts}`, { flag: 'part' });
}
