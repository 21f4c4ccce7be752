import { markOf } from '../../brief/brief-id.ts';
import { answerInvalid, type BriefAnswer, type Sentence } from '../../brief/read-answer.ts';
import { lintText } from '../../lint/lint-text.ts';
import { diagnostic, sortDiagnostics, type Diagnostic } from '../../schema/diagnostics.ts';
import { VadeError } from '../../schema/errors.ts';
import type { Probe } from '../../schema/source/probe.ts';
import type { Unit } from '../../schema/source/unit.ts';
import { Name } from '../../schema/uri.ts';

/** The input for judging an answer: the units that may be written for, and the probes that exist. */
export interface Judge {
  /** By name. */
  readonly units: ReadonlyMap<string, Unit>;
  readonly probes: readonly Probe[];
}

/**
 * Checks that an answer may be taken as a whole: each unit has the text that the brief showed, and no sentence does
 * harm. One error lists all faults, with their places in the answer.
 *
 * @throws brief_stale, answer_invalid
 */
export async function judgeAnswer(answer: BriefAnswer, judge: Judge): Promise<void> {
  const stale = staleIn(answer, judge);
  const faults = [...answer.faults, ...unknownIn(answer, judge), ...stale, ...(await unsafeIn(answer))];
  if (answer.id.subject.kind === 'probes') faults.push(...contradictionsIn(answer, judge));
  const [first] = faults;
  if (!first) return;
  const sorted = sortDiagnostics(faults);
  if (stale.length === 0) throw answerInvalid(answer.file, sorted);
  const message = `${stale.length} of ${answer.units.size} units have a text that differs from the one in the brief; nothing was written`;
  throw new VadeError('brief_stale', message, { faults: sorted, suggestion: stale[0]?.help });
}

function unknownIn({ units, file, id }: BriefAnswer, { units: known }: Judge): Diagnostic[] {
  // another name than a unit may have is a fault of the form
  const unknown = [...units].filter(([unit]) => !known.has(unit) && Name.safeParse(unit).success);
  return unknown.map(([unit, at]) => {
    const message = `“${unit}” is not a unit of ${id.subject.garden}`;
    return diagnostic('key_unknown', file, message, 'answer only for units of the brief', at);
  });
}

function staleIn({ units, file, id }: BriefAnswer, { units: known }: Judge): Diagnostic[] {
  const { subject, marks } = id;
  return [...units].flatMap(([name, at]) => {
    const unit = known.get(name);
    if (!unit || marks.has(markOf(subject, unit))) return [];
    const message = `the text of ${name} differs from the one in the brief`;
    const again = `vade brief ${subject.kind} --agent ${subject.garden} --unit ${name}`;
    return [
      diagnostic(
        'value_invalid',
        file,
        message,
        `remove ${name} from the answer, or print a new brief and answer it: ${again}`,
        at,
      ),
    ];
  });
}

/** Faults of the texts of an answer that would reach agents, by the rules for every text that reaches them. */
async function unsafeIn({ sentences, by, file, at }: BriefAnswer): Promise<Diagnostic[]> {
  const writer: Sentence = { unit: '', text: by, at: at(['by']) };
  const faults: Diagnostic[] = [];
  for (const { text, at: place } of [writer, ...sentences]) {
    // by the rules of the files that they are written to, whatever the answer's file is called
    const found = await lintText('', text);
    faults.push(...found.map((it) => ({ ...it, file, ...place })));
  }
  return faults;
}

/** One question with two answers proves nothing. */
function contradictionsIn({ sentences, file }: BriefAnswer, { probes }: Judge): Diagnostic[] {
  const wanted = new Map<string, readonly string[]>(probes.map(({ intent, required }) => [intent, required]));
  return sentences.flatMap(({ unit, text, at }) => {
    const others = wanted.get(text);
    if (others === undefined) wanted.set(text, [unit]);
    if (others === undefined || others.includes(unit)) return [];
    const message = `another probe already asks “${text}”, and requires ${others.join(', ')}`;
    return [
      diagnostic('value_invalid', file, message, 'remove it, or reword it so that only this unit answers it', at),
    ];
  });
}
