import type { Neighbour } from '../../brief/brief.ts';
import { createBrief } from '../../brief/create-brief.ts';
import { renderBrief } from '../../brief/render-brief.ts';
import type { Migration } from '../../migration/propose/proposal.ts';
import { VadeError } from '../../schema/errors.ts';
import type { Language } from '../../schema/source/language.ts';
import { noSuchPart } from '../brief/print-brief.ts';

/** The input for a brief about a proposal. */
export interface UnitsBriefInput {
  readonly deployment: string;
  readonly agent: string;
  readonly language: Language;
  /** Units of the agent that are not proposed now. */
  readonly others: readonly Neighbour[];
  /** The command that printed it, without `--brief` and the part. */
  readonly command: string;
  /** 1-based. */
  readonly part: number;
}

/** A brief about a proposal as it is printed. */
export interface UnitsBrief {
  readonly id: string;
  readonly part: number;
  readonly parts: number;
  readonly units: readonly string[];
  readonly markdown: string;
}

/**
 * The brief that somebody needs to name, describe and trigger the units that a migration proposes.
 *
 * @throws argument_invalid if there is no such part, request_invalid if no unit is new
 */
export function unitsBrief({ wordable, units }: Migration, input: UnitsBriefInput): UnitsBrief {
  const { deployment, agent, language, others, command, part } = input;
  if (wordable.length === 0) throw nothingNew();
  const { brief, parts } = createBrief(
    {
      subject: { kind: 'units', deployment, garden: agent },
      ...{ language, command, leftOut: [], missing: false },
      sections: wordable.map((it) => ({ ...it, phrases: [] })),
      neighbours: [...units, ...others].map(({ name, description }) => ({ name, description })),
    },
    part,
  );
  if (brief === null) throw noSuchPart(part, parts);
  const names = brief.sections.map(({ name }) => name);
  return { id: brief.id, part, parts, units: names, markdown: renderBrief(brief) };
}

function nothingNew(): VadeError {
  const message = 'there is nothing to reword: every proposed unit already exists, with words of its own';
  return new VadeError('request_invalid', message, { suggestion: 'edit the front matter of the units' });
}
