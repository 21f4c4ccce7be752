import { markOf } from '../../brief/brief-id.ts';
import type { BriefSubject } from '../../brief/brief.ts';
import { answerInvalid } from '../../brief/read-answer.ts';
import type { WordsAnswer } from '../../brief/read-units-answer.ts';
import { lintText } from '../../lint/lint-text.ts';
import { findSteering } from '../../lint/rules/injection.ts';
import type { Answered, Wordable } from '../../migration/propose/proposal.ts';
import type { Words } from '../../migration/propose/reword.ts';
import { diagnostic, sortDiagnostics, type Diagnostic, type Position } from '../../schema/diagnostics.ts';
import { VadeError } from '../../schema/errors.ts';
import type { UnitWords } from '../../schema/source/brief-answer.ts';
import { Name, RESERVED_NAMES } from '../../schema/uri.ts';
import { toDiagnostics } from '../../sources/finding.ts';

/** The proposal that answers are judged by. */
export interface Proposed {
  readonly subject: BriefSubject;
  readonly wordable: readonly Wordable[];
  /** Names that no proposed unit may have. */
  readonly taken: readonly string[];
}

/**
 * The statements of all answers, if they may be taken as a whole: each unit has the text that its brief showed, no name
 * is another unit's, and no sentence does harm. One error lists all faults of all answers, with their places.
 *
 * @throws brief_unknown, brief_stale, answer_invalid
 */
export async function judgeWords(answers: readonly WordsAnswer[], proposed: Proposed): Promise<Answered> {
  const faults: Diagnostic[] = [];
  const words = new Map<string, UnitWords>();
  let stale = 0;
  for (const answer of answers) {
    requireSubject(answer, proposed);
    const outdated = staleIn(answer, proposed);
    stale += outdated.length;
    faults.push(...answer.faults, ...unknownIn(answer, proposed), ...outdated, ...(await unsafeIn(answer)));
    faults.push(...noLinesIn(answer, proposed));
    for (const [name, said] of answer.units) {
      if (words.has(name)) faults.push(twice(answer, name));
      words.set(name, said);
    }
  }
  faults.push(...answers.flatMap((it) => namesakesIn(it, words, proposed)));
  const sorted = sortDiagnostics(faults);
  const [first] = sorted;
  if (!first) return { words, always: chosenIn(answers) };
  if (stale === 0) throw answerInvalid(first.file, sorted);
  const message = `${stale} of ${words.size} units have a text that differs from the one in the brief; nothing was written`;
  throw new VadeError('brief_stale', message, { faults: sorted, suggestion: 'print the brief again, and answer it' });
}

function requireSubject({ id, file }: WordsAnswer, { subject }: Proposed): void {
  const { deployment, garden } = id.subject;
  if (deployment === subject.deployment && garden === subject.garden) return;
  const message = `${file} is for ${garden} in ${deployment}, and this is ${subject.garden} in ${subject.deployment}`;
  throw new VadeError('brief_unknown', message);
}

function unknownIn({ units, file, at, id }: WordsAnswer, { wordable }: Proposed): Diagnostic[] {
  const known = new Set(wordable.map(({ name }) => name));
  return [...units.keys()]
    .filter((it) => !known.has(it))
    .map((it) => {
      const message = `“${it}” is not proposed as a unit of ${id.subject.garden}`;
      return diagnostic('key_unknown', file, message, 'answer only for units of the brief', at(['units', it]));
    });
}

/** Lines that no text has, or that are no rule; a line is good for the text that the brief showed alone. */
function noLinesIn({ always, file, at, id }: WordsAnswer, { wordable }: Proposed): Diagnostic[] {
  return (always ?? []).flatMap((it, i) => {
    const [name, line] = it.split(':');
    const unit = wordable.find((one) => one.name === name);
    const help = 'name lines by their numbers in the brief, as unit:number';
    if (unit?.lines.has(Number(line)) !== true)
      return [diagnostic('value_invalid', file, `“${it}” is no numbered line of the brief`, help, at(['always', i]))];
    const isShown = id.marks.has(markOf(id.subject, unit));
    return isShown ? [] : [staleAt(file, unit.name, at(['always', i]))];
  });
}

/** The chosen lines of all answers, by unit; null where none says anything about them. */
function chosenIn(answers: readonly WordsAnswer[]): Answered['always'] {
  const said = answers.flatMap(({ always }) => (always === null ? [] : [always]));
  const chosen = new Map<string, Set<number>>();
  for (const [name = '', line] of said.flat().map((it) => it.split(':')))
    chosen.set(name, (chosen.get(name) ?? new Set()).add(Number(line)));
  return said.length === 0 ? null : chosen;
}

function staleIn({ units, file, at, id }: WordsAnswer, { wordable }: Proposed): Diagnostic[] {
  return wordable
    .filter((it) => units.has(it.name) && !id.marks.has(markOf(id.subject, it)))
    .map(({ name }) => staleAt(file, name, at(['units', name])));
}

function staleAt(file: string, name: string, at: Position): Diagnostic {
  const message = `the text of ${name} differs from the one in the brief`;
  return diagnostic('value_invalid', file, message, 'print the brief again, and answer it', at);
}

/** Faults of the texts of an answer that would reach agents, by the rules for every text that reaches them. */
async function unsafeIn({ units, by, file, at }: WordsAnswer): Promise<Diagnostic[]> {
  const sentences: (readonly [string, Position])[] = [[by, at(['by'])]];
  // agents choose by these: a name is read with blanks for its hyphens
  const shown: (readonly [string, Position])[] = [];
  for (const [unit, { name, description, triggers = [] }] of units) {
    if (name !== undefined) shown.push([`The unit: ${name.replaceAll('-', ' ')}`, at(['units', unit, 'name'])]);
    if (description !== undefined) shown.push([description, at(['units', unit, 'description'])]);
    sentences.push(...triggers.map((it, i) => [it, at(['units', unit, 'triggers', i])] as const));
  }
  const faults: Diagnostic[] = [];
  for (const [text, place] of [...sentences, ...shown])
    faults.push(...(await lintText('', text)).map((it) => ({ ...it, file, ...place })));
  const steering = shown.flatMap(([text, place]) =>
    toDiagnostics(file, text, findSteering(text)).map((it) => ({ ...it, ...place })),
  );
  return [...faults, ...steering];
}

function twice({ file, at }: WordsAnswer, name: string): Diagnostic {
  const message = `another answer already covers ${name}`;
  return diagnostic('value_invalid', file, message, 'answer for each unit once', at(['units', name]));
}

/** Names that another unit has, or is given. */
function namesakesIn({ units, file, at }: WordsAnswer, words: Words, { wordable, taken }: Proposed): Diagnostic[] {
  const names = wordable.map(({ name }) => words.get(name)?.name ?? name);
  return [...units].flatMap(([unit, { name }]) => {
    if (name === undefined || name === unit || !Name.safeParse(name).success) return [];
    const tell = (rule: 'name_reserved' | 'name_duplicate', message: string) => [
      diagnostic(rule, file, message, 'choose another name', at(['units', unit, 'name'])),
    ];
    if (RESERVED_NAMES.includes(name)) return tell('name_reserved', `“${name}” is reserved`);
    const isTaken = taken.includes(name) || names.filter((it) => it === name).length > 1;
    return isTaken ? tell('name_duplicate', `“${name}” is the name of another unit`) : [];
  });
}
