import type { LeftOut, BriefSection, SentenceKind } from '../../brief/brief.ts';
import { createBrief } from '../../brief/create-brief.ts';
import { renderBrief } from '../../brief/render-brief.ts';
import { VadeError } from '../../schema/errors.ts';
import { languageOf } from '../../schema/source/language.ts';
import type { Unit } from '../../schema/source/unit.ts';
import { SHARED } from '../../schema/uri.ts';
import type { World } from '../../world/world.ts';
import { chooseUnits, type BriefFlags } from './choose-units.ts';
import { openHandbook, phrasesNow, requireGarden, type Handbook } from './open-handbook.ts';

/** A brief as it is printed. */
export interface PrintedBrief {
  readonly kind: SentenceKind;
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
 * Prints the brief for writing phrases or probes for a garden of the working tree.
 *
 * @throws agent_not_found, argument_invalid, source_not_found, sources_invalid
 */
export async function printBrief(kind: SentenceKind, flags: BriefFlags, world: World): Promise<PrintedBrief> {
  const handbook = await openHandbook(flags, world);
  const { agent, part, missing } = flags;
  requireGarden(handbook, flags.source, agent);
  if (kind === 'probes' && agent === SHARED) throw probesOfShared();
  const { units, neighbours, leftOut } = await chooseUnits(kind, handbook, flags);
  const subject = { kind, deployment: handbook.org.deployment, garden: agent };
  const language = languageOf(handbook.org, handbook.configuration.agents.get(agent)?.config ?? null);
  const sections = sectionsOf(kind, handbook, agent, units);
  const command = `vade brief ${kind} --agent ${agent}`;
  const { brief, parts } = createBrief({ subject, language, sections, neighbours, leftOut, missing, command }, part);
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

/** A brief for probes shows nothing of what finds a unit now. */
function sectionsOf(kind: SentenceKind, handbook: Handbook, agent: string, units: readonly Unit[]): BriefSection[] {
  const known = phrasesNow(handbook, agent);
  const isBlind = kind === 'probes';
  return units.map(({ name, content, delivery, skill }) => ({
    name,
    content,
    ...(skill && content.length > MOST_OF_SKILL && { beginning: beginningOf(content) }),
    description: skill?.description ?? delivery.description,
    intents: isBlind ? [] : delivery.load_triggers.intents,
    phrases: isBlind ? [] : (known.get(name) ?? []),
  }));
}

/** Number of characters of a skill that a brief shows: its description says when it is needed. */
const MOST_OF_SKILL = 1500;

const beginningOf = (text: string) => text.slice(0, text.lastIndexOf('\n', MOST_OF_SKILL) + 1 || MOST_OF_SKILL);

function nothingFor(kind: SentenceKind, { agent, missing }: BriefFlags): string {
  if (!missing) return `Nothing to write: ${agent} has no unit that can be shown.`;
  const all = `Nothing to write: every unit of ${agent} that can be shown`;
  return kind === 'phrases' ? `${all} has phrases for its current text, or was declined.` : `${all} has a probe.`;
}

function probesOfShared(): VadeError {
  const message = 'probes belong to an agent: shared units alone have none';
  const suggestion = 'give the name of an agent that recalls the unit with --agent, and the shared unit with --unit';
  return new VadeError('argument_invalid', message, { flag: 'agent', suggestion });
}

/** @param part that was asked for; @param parts that there are */
export function noSuchPart(part: number, parts: number): VadeError {
  return new VadeError('argument_invalid', `the brief has no part ${part}: its last part is ${parts}`, {
    flag: 'part',
  });
}
