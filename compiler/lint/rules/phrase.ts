import { diagnostic, type Diagnostic } from '../../schema/diagnostics.ts';
import type { Unit } from '../../schema/source/unit.ts';
import type { ConfiguredPhrases } from '../../sources/config.ts';
import { meaning, type LintedGarden } from './linted-garden.ts';
import { Sayings, STOLEN } from './sayings.ts';

/**
 * Phrases that were written for an earlier text of their unit: they may name a situation that it no longer answers.
 *
 * @param digests sha256 of each unit's text as served, by name
 */
export function findStale(configured: ConfiguredPhrases | null, digests: ReadonlyMap<string, string>): Diagnostic[] {
  if (configured === null) return [];
  const { set, file, at } = configured;
  return Object.entries(set.units).flatMap(([name, { digest, phrases }]) => {
    const now = digests.get(name);
    // one that was declined has none to read again: the next brief asks anew
    if (digest === undefined || now === undefined || digest === now || phrases.length === 0) return [];
    const message = `the text of “${name}” has changed since its phrases were written`;
    const help = `read them beside the text, correct them, and write digest: ${now}`;
    return [diagnostic('phrases_stale', file, message, help, at(['units', name, 'digest']))];
  });
}

/** Origin of a saying. */
interface SayingSource {
  readonly unit: string;
  readonly kind: 'phrase' | 'trigger';
}

/** Phrases in nearly the words of another phrase or a trigger: they add no way to the unit, or take another unit's. */
export function findPhraseRepeats({ phrases, units, shared }: LintedGarden): Diagnostic[] {
  if (phrases.own === null) return [];
  const known = new Sayings<SayingSource>();
  for (const unit of [...shared, ...units]) addTriggers(known, unit);
  for (const [name, it] of phrasesIn(phrases.shared)) addPhrase(known, name, it);
  const { set, file, at } = phrases.own;
  return Object.entries(set.units).flatMap(([name, { phrases: said }]) =>
    said.flatMap((words, i) => {
      const { twin, share } = known.nearest({ parts: new Set(meaning(words)) });
      addPhrase(known, name, words);
      if (!twin || share < STOLEN) return [];
      const { unit, kind } = twin.unit;
      const of = unit === name ? `the ${kind}` : `the ${kind} of ${unit}`;
      const message = `“${words}” nearly repeats ${of}: “${twin.words}”`;
      const help = unit === name ? 'reword it, or delete it' : 'name the situation of this unit';
      return [diagnostic('phrase_repeats', file, message, help, at(['units', name, 'phrases', i]))];
    }),
  );
}

function addTriggers(known: Sayings<SayingSource>, { name, delivery }: Unit): void {
  for (const words of delivery.load_triggers.intents) {
    known.add({ unit: { unit: name, kind: 'trigger' }, words, parts: new Set(meaning(words)) });
  }
}

function addPhrase(known: Sayings<SayingSource>, unit: string, words: string): void {
  known.add({ unit: { unit, kind: 'phrase' }, words, parts: new Set(meaning(words)) });
}

function phrasesIn(configured: ConfiguredPhrases | null): (readonly [string, string])[] {
  const units = Object.entries(configured?.set.units ?? {});
  return units.flatMap(([name, { phrases }]) => phrases.map((it) => [name, it] as const));
}
