import type { RuleId } from '../../schema/diagnostics.ts';
import { quote, type Finding } from '../../sources/finding.ts';
import { allMatches } from './all-matches.ts';
import { Flattening, Places, type Flat } from './injection/flattening.ts';
import { isMention } from './injection/mention.ts';
import { narrowedBy } from './injection/opening-words.ts';
import { EXFILTRATIONS, INJECTIONS, ROLES, STEERING, type Phrase } from './injection/phrases.ts';
import { charactersOf, hasRun } from './runs.ts';

const HELP: Partial<Record<RuleId, string>> = {
  prompt_injection: 'use other words; to warn of the phrase, quote it and say that it is an attack',
  role_tag_forged: 'delete it; to write about it, quote it and say what to do about it',
  exfiltration_asked:
    'name a tool, or refer to a secret by its name; an instruction never sends a secret to an address',
};

/** All phrases, with the rule that each breaks. */
const PHRASES = [
  ...INJECTIONS.map((it) => ({ ...it, rule: 'prompt_injection' as const })),
  ...ROLES.map((it) => ({ ...it, rule: 'role_tag_forged' as const })),
  ...EXFILTRATIONS.map((it) => ({ ...it, rule: 'exfiltration_asked' as const })),
];

const possiblePhrases = narrowedBy(PHRASES);
const steeringPhrases = narrowedBy(STEERING.map((it) => ({ ...it, rule: 'prompt_injection' as const })));

/**
 * Phrases that turn an agent against its instructions, role markers, and requests to exfiltrate secrets.
 *
 * @param isFenced whether a place is in a code fence that ends
 */
export function findInjections(text: string, isFenced: (index: number) => boolean = () => false): Finding[] {
  return [...findPhrases(text, possiblePhrases, isFenced), ...findEncoded(text)];
}

/** Phrases of a name or description that choose in place of the agent that reads a list of them. */
export function findSteering(text: string): Finding[] {
  const help = 'say what the unit is about, and leave the choice to who reads it';
  return findPhrases(text, steeringPhrases).map((it) => ({ ...it, help }));
}

type RuledPhrase = (typeof PHRASES)[number];

function findPhrases(
  text: string,
  possible: (flat: string) => readonly RuledPhrase[],
  isFenced: (index: number) => boolean = () => false,
): Finding[] {
  const flat = flatText(text);
  const matches = possible(flat).flatMap((phrase) =>
    allMatches(flat, phrase.pattern).map((match) => ({ phrase, match })),
  );
  return matches.length === 0 ? [] : usesOf(text, matches, isFenced);
}

interface Match {
  readonly phrase: RuledPhrase;
  /** In the flat text. */
  readonly match: RegExpExecArray;
}

/** Phrases that are used and not only mentioned, each place once. */
function usesOf(text: string, matches: readonly Match[], isFenced: (index: number) => boolean): Finding[] {
  const flat = flatten(text);
  const found = new Map<string, Finding>();
  for (const { phrase, match } of matches) {
    // the leading characters of a match only mark the beginning of a sentence
    const start = match.index + (/^["'.!?;:,\s]*/.exec(match[0])?.[0].length ?? 0);
    const end = match.index + match[0].length;
    const from = flat.offsets[start] ?? 0;
    const key = `${phrase.rule} ${from}`;
    if (found.has(key) || isMention(flat, start, end)) continue;
    if (phrase.mayBeCode === true && isFenced(from)) continue;
    found.set(key, toFinding(text, phrase, { from, to: flat.offsets[end - 1] ?? from }));
  }
  return [...found.values()];
}

function toFinding(
  text: string,
  { rule, effect }: Phrase & { readonly rule: RuleId },
  { from, to }: { readonly from: number; readonly to: number },
): Finding {
  const message = `${quote(text.slice(from, to + 1))} ${effect}`;
  return { rule, index: from, message, help: HELP[rule] ?? 'delete it' };
}

/** Whether a text contains any such phrase, quoted or not: for hidden places. */
export function isInjection(text: string): boolean {
  const flat = flatText(text);
  return possiblePhrases(flat).some(({ pattern }) => flat.search(pattern) !== -1);
}

/** Runs of characters that could be base64. */
const BASE64 = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{32,8192}={0,2}/g;

const BASE64_CHARACTERS = charactersOf(/[A-Za-z0-9+/_-]/);
const BASE64_LENGTH = 32;

/** The same phrases in base64: people cannot read them, but a model can. */
function findEncoded(text: string): Finding[] {
  if (!hasRun(text, BASE64_CHARACTERS, BASE64_LENGTH)) return [];
  return allMatches(text, BASE64).flatMap(({ 0: run, index }) => {
    const decoded = Buffer.from(run, 'base64').toString('latin1');
    if (/[^\t\n\r -~]/.test(decoded) || !isInjection(decoded)) return [];
    const message = 'base64 here hides words that turn an agent against its instructions';
    return [{ rule: 'prompt_injection' as const, index, message, help: 'delete it' }];
  });
}

const MARKER = /^[ \t]*(?:>[ \t]*)*(?:[-*+][ \t]+|\d{1,9}[.)][ \t]+)?(?:#{1,6}[ \t]+)?/;
/** Lines that begin a block: an item, a heading, a row, a fence, a comment, a YAML key. */
const BEGINS = /^[ \t]*(?:>[ \t]*)*(?:[-*+][ \t]|\d{1,9}[.)][ \t]|#{1,6}[ \t]|\||```|~~~|<|[\w-]{1,40}:(?:[ \t]|$))/;
const FENCE = /^[ \t]*(?:>[ \t]*)*(?:```|~~~)/;
const ITEM = /^[ \t]*(?:>[ \t]*)*(?:[-*+]|\d{1,9}[.)])[ \t]/;

/** Flattens a text; `offsets` map back to the original. */
export function flatten(text: string): Flat {
  return flattenInto(new Flattening(new Places(text.length + 1)), text).done();
}

/** The text of `flatten` alone, in a quarter less time: a compile looks through every version of every text. */
export function flatText(text: string): string {
  return flattenInto(new Flattening(null), text).text();
}

function flattenInto(flat: Flattening, text: string): Flattening {
  let start = 0;
  let ended = true;
  let fenced = false;
  for (const line of text.split('\n')) {
    const fence = FENCE.test(line);
    if (fence) fenced = !fenced;
    const alone = fenced || fence || BEGINS.test(line) || line.trim() === '';
    if (alone || ended) flat.part(start, ITEM.test(line));
    flat.fenced = fenced && !fence;
    flat.add(line, start, MARKER.exec(line)?.[0].length ?? 0);
    // a heading ends with its line; the text of an item may continue
    ended = fence || fenced || line.trim() === '' || /^[ \t]*#{1,6}[ \t]/.test(line);
    start += line.length + 1;
  }
  return flat;
}
