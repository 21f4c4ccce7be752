import { resolve } from 'node:path';
import { markOf } from '../../brief/brief-id.ts';
import { readAnswer, type BriefAnswer } from '../../brief/read-answer.ts';
import { writePhrases, writeProbes, type Phrased } from '../../brief/write-answer.ts';
import { assertInside, readInside, writeInside } from '../../io/files/inside-folder.ts';
import { VadeError } from '../../schema/errors.ts';
import { MAX_SENTENCES_BYTES, type Probe } from '../../schema/source/probe.ts';
import type { Unit } from '../../schema/source/unit.ts';
import { SHARED } from '../../schema/uri.ts';
import { normaliseText } from '../../sources/front-matter.ts';
import { byText, sha256 } from '../../trust/canonical.ts';
import type { Arguments } from '../../world/flags/flag.ts';
import type { BRIEF_TAKE } from '../../world/flags/quality.ts';
import type { World } from '../../world/world.ts';
import { openEncoder } from '../preview/preview-inputs.ts';
import { probesOf, recalledUnits } from '../preview/read-gardens.ts';
import { compileFaults, type CompileFault } from './compile-faults.ts';
import { judgeAnswer } from './judge-answer.ts';
import { measure, type GardenChange, type ProbeEffect } from './measure-answer.ts';
import { nearCopies, type NearCopy } from './near-copies.ts';
import { openHandbook, phrasesPath, storedFor, type Handbook } from './open-handbook.ts';

export type TakeFlags = Arguments<typeof BRIEF_TAKE>;

/** The changes of an answer, and the figures of the probes about them. */
export interface TakenAnswer {
  readonly kind: 'phrases' | 'probes';
  readonly agent: string;
  readonly file: string;
  readonly changed: boolean;
  /** Units that were written for. */
  readonly units: readonly string[];
  /** Units that need no phrases, and are not asked for until their text changes. */
  readonly declined: readonly string[];
  /** Units of the brief that the answer has nothing for. */
  readonly unanswered: readonly string[];
  /** Units whose stored phrases the answer replaces, with the number of phrases that go. */
  readonly replaced: readonly { readonly unit: string; readonly phrases: number }[];
  /** Sentences written, and probes that existed already. */
  readonly sentences: number;
  readonly skipped: number;
  readonly copies: readonly NearCopy[];
  /** Why a compile would refuse the garden with this answer. */
  readonly refused: readonly CompileFault[];
  readonly measured: readonly ProbeEffect[];
}

/**
 * Writes the answer of a brief into the sources: phrases or probes of its units, all of it or nothing.
 *
 * @param text untrusted
 * @throws brief_unknown, brief_stale, answer_invalid, sources_invalid, source_not_found, model_unavailable,
 * output_failed
 */
export async function takeAnswer(flags: TakeFlags, text: string, world: World): Promise<TakenAnswer> {
  const handbook = await openHandbook(flags, world);
  const answer = readAnswer(text, flags.file === '-' ? 'stdin' : flags.file);
  const { kind } = answer.id.subject;
  const garden = gardenOf(answer, handbook);
  const units = new Map(writable(handbook, kind, garden).map((it) => [it.name, it]));
  await judgeAnswer(answer, { units, probes: probesOf(handbook, garden) });
  const taking = { handbook, answer, garden, units };
  const change = changeOf(taking);
  const file = edit(taking, change, flags, world);
  const encoder = await openEncoder(handbook.org.model, flags.models, world);
  const now = world.now().toISOString();
  const measured = await measure(handbook, change, encoder, now);
  const refused = await compileFaults(handbook, change, encoder, now);
  if (file.changed && !flags['dry-run']) writeInside(file.repo, file.path, file.before, file.after);
  const { path, changed } = file;
  return { kind, agent: garden, file: path, changed, ...countsOf(taking, change), refused, measured };
}

/** An answer that may be taken. */
interface Taking {
  readonly handbook: Handbook;
  readonly answer: BriefAnswer;
  /** As the sources call it. */
  readonly garden: string;
  readonly units: ReadonlyMap<string, Unit>;
}

/** The garden of the sources that an answer is for. @throws brief_unknown */
function gardenOf({ id: { subject } }: BriefAnswer, { org, configuration }: Handbook): string {
  const known =
    subject.kind === 'phrases' ? [...configuration.agents.keys(), SHARED] : [...configuration.agents.keys()];
  const garden = known.find((it) => it === subject.garden);
  if (garden !== undefined && subject.deployment === org.deployment) return garden;
  const message = `the answer is for ${subject.kind} of ${subject.garden} in deployment ${subject.deployment}; deployment ${org.deployment} has none`;
  throw new VadeError('brief_unknown', message);
}

/** The units that a brief may be about. */
function writable(handbook: Handbook, kind: TakenAnswer['kind'], garden: string): readonly Unit[] {
  return kind === 'phrases' ? (handbook.units.get(garden) ?? []) : recalledUnits(handbook, garden);
}

function changeOf({ handbook, answer, garden }: Taking): GardenChange {
  const { kind } = answer.id.subject;
  const said = new Map<string, string[]>();
  for (const { unit, text } of answer.sentences) said.set(unit, [...(said.get(unit) ?? []), text]);
  const phrases = new Map([...said].map(([unit, texts]) => [unit, [...new Set(texts)]]));
  if (kind === 'phrases') {
    for (const unit of answer.declined) phrases.set(unit, []);
    return { garden, phrases, probes: [] };
  }
  const asked = new Set(probesOf(handbook, garden).map(({ intent }) => intent));
  const probes = [...phrases].flatMap(([unit, texts]): Probe[] =>
    texts.filter((it) => !asked.has(it)).map((intent) => ({ intent, required: [unit], forbidden: [] })),
  );
  return { garden, phrases: new Map(), probes };
}

/** The file that a change is written to, before and after. @throws sources_invalid, output_failed */
function edit({ handbook, answer, garden, units }: Taking, change: GardenChange, flags: TakeFlags, world: World) {
  const { sources } = handbook;
  const isPhrases = answer.id.subject.kind === 'phrases';
  const path = isPhrases ? phrasesPath(sources, garden) : `${sources.folder}/probes/${garden}.yaml`;
  const repo = resolve(world.cwd, flags.repo);
  // also for a path that does not exist yet: a link on its way must be found now, not when it is written
  assertInside(repo, path);
  const before = readInside(repo, path);
  if (change.phrases.size + change.probes.length === 0)
    return { repo, path, before, after: Buffer.of(), changed: false };
  const text = before === null ? null : blankAsNone(normaliseText(before) ?? '');
  const phrased = new Map([...change.phrases].map(([unit, phrases]) => [unit, phrasedOf(units.get(unit), phrases)]));
  const written = isPhrases ? writePhrases(text, answer.by, phrased) : writeProbes(text, change.probes);
  const after = 'text' in written ? Buffer.from(written.text) : null;
  const why =
    'why' in written
      ? written.why
      : `it would have ${after?.length ?? 0} bytes; at most ${MAX_SENTENCES_BYTES} are read`;
  if (after === null || after.length > MAX_SENTENCES_BYTES)
    throw new VadeError('sources_invalid', `${path} cannot be written: ${why}`);
  return { repo, path, before, after, changed: before?.equals(after) !== true };
}

const blankAsNone = (text: string) => (text.trim() === '' ? null : text);

function phrasedOf(unit: Unit | undefined, phrases: readonly string[]): Phrased {
  return { digest: sha256(unit?.content ?? ''), phrases };
}

function countsOf({ handbook, answer, garden, units }: Taking, { phrases, probes }: GardenChange) {
  const { subject, marks } = answer.id;
  const answered = new Set(answer.sentences.map(({ unit }) => unit));
  const isOpen = (name: string) => !answered.has(name) && !answer.declined.includes(name);
  const asked = [...units.values()].filter((it) => marks.has(markOf(subject, it))).map(({ name }) => name);
  const sentences = probes.length + [...phrases.values()].flat().length;
  return {
    units: [...answered].sort(),
    declined: answer.declined,
    unanswered: asked.filter(isOpen).sort(),
    replaced: replacedBy(phrases, handbook, garden),
    sentences,
    skipped: answer.sentences.length - sentences,
    copies: nearCopies(handbook, garden, answer),
  };
}

/** The stored phrases that a change takes away, by unit. */
function replacedBy(phrases: GardenChange['phrases'], handbook: Handbook, garden: string): TakenAnswer['replaced'] {
  const gone = [...phrases].map(([unit, kept]) => {
    const stored = storedFor(handbook, garden, unit)?.phrases ?? [];
    return { unit, phrases: stored.filter((it) => !kept.includes(it)).length };
  });
  return gone.filter((it) => it.phrases > 0).sort((a, b) => byText(a.unit, b.unit));
}
