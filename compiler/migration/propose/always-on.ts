import { words } from '../../recall/signals/lexical.ts';
import { sentencesOf } from '../documents/blocks.ts';
import { knownUnit } from '../documents/known-unit.ts';
import type { Section } from '../documents/sections.ts';

/** A rule that holds in every task, as its author wrote it. */
export interface AlwaysOnRule {
  readonly text: string;
  readonly section: Section;
  /** Clarity of its author's intention: 3 for a document that always applies, 2 for a word in capitals, 1 otherwise. */
  readonly strength: number;
}

/** A rule in a boot stub is read at every heartbeat, so it is short. */
const LONGEST = 280;

const LIMITS =
  /\b(?:boundar(?:y|ies)|constraints?|limits?|limitations|forbidden|prohibited|never|must(?: not)?|golden rules?|hard rules?|non-negotiables?|guardrails?|rules)\b/i;
const CAPITALS = /\b(?:MUST|NEVER|ALWAYS|SHALL|IMPORTANT)\b/;
const OPENING = /^(?:[*_"“]*)(?:always|never|must|do not|don['’]t)\b/i;
/** A rule in plain words: as an order, or of somebody who does the work. “The job never ran” is only a report. */
const PLAINLY =
  /^(?:[*_"“]*)(?:always\b|never\b|(?:(?:when|whenever|if|before|after|while|unless)\b[^,]{1,80}, )?(?:please )?(?:(?:the |all |every |each |an? )?(?:you|we|agents?|everyone|everybody|[\p{L}\p{N} ]{1,40}) must (?:not|never|always)|(?:you|we|agents?) (?:must|(?:always|never) \p{L}+(?<!ed)))\b)/iu;
/** An explanation of something else. */
const EXPLAINS = /^(?:[*_"“(]*)(?:that|this|it|these|those|they|because|since|so|for example|e\.g|in)\b/i;

/** A rule for one situation: it is needed with that situation, so others come first. */
const CONDITIONAL = /\b(?:when|whenever|if|before|after|unless|for|during|while)\b/i;

/** The rules of a section that hold whatever the agent does (§21.1.1). */
export function alwaysOnIn(section: Section): AlwaysOnRule[] {
  // a known unit has the text that its author put there, and none of it was in a boot.md
  if (knownUnit(section) !== null) return [];
  const { front } = section.document;
  return section.blocks.flatMap((block) =>
    rulesTextsOf(block)
      .map((text) => ({ text, section, strength: front.alwaysApply ? 3 : strengthOf(text, section) }))
      .filter(({ text, strength }) => strength > 0 && text.length <= LONGEST && /\p{L}{2}.*\s/u.test(text)),
  );
}

/** @param written a sentence with its Markdown: a word between backticks is the name of something */
function strengthOf(written: string, { above, title, isPreamble }: Section): number {
  const text = written.replace(/`[^`]*`/g, '`');
  if (/[:,][*_"”)]*$/.test(text) || EXPLAINS.test(text)) return 0;
  if (CAPITALS.test(text)) return 2;
  const isLimit = isPreamble || LIMITS.test([...above, title].join(' '));
  if (OPENING.test(text) && isLimit) return 2;
  return PLAINLY.test(text) ? 1 : 0;
}

/** The rules in the order in which they are taken: those that were clearly meant first, one-situation rules last. */
function byUrgency(rules: readonly AlwaysOnRule[]): AlwaysOnRule[] {
  const urgency = ({ strength, text }: AlwaysOnRule) => strength - (strength < 3 && CONDITIONAL.test(text) ? 0.5 : 0);
  const known = new Set<string>();
  const fresh = rules.filter(({ text }) => !known.has(text) && known.add(text));
  return fresh
    .map((rule, at) => ({ rule, at }))
    .sort((a, b) => urgency(b.rule) - urgency(a.rule) || a.at - b.at)
    .map(({ rule }) => rule);
}

/** The text of `boot.md` with these rules, in the order of their documents. */
export function bootText(rules: readonly AlwaysOnRule[], all: readonly AlwaysOnRule[]): string {
  const texts = new Set(rules.map(({ text }) => text));
  const ordered = new Set(all.filter(({ text }) => texts.has(text)).map(({ text }) => text));
  return [...ordered].map((text) => `- ${text}\n`).join('');
}

/** The most urgent rules that fit. @param fits whether a text of `boot.md` stays within the stub's budget */
export function takeWhatFits(
  rules: readonly AlwaysOnRule[],
  fits: (text: string) => boolean,
): { taken: readonly AlwaysOnRule[]; left: readonly AlwaysOnRule[] } {
  const taken: AlwaysOnRule[] = [];
  const left: AlwaysOnRule[] = [];
  for (const rule of byUrgency(rules).slice(0, MOST_RULES)) {
    if (fits(bootText([...taken, rule], rules))) taken.push(rule);
    else left.push(rule);
  }
  return { taken, left };
}

/** More than a boot stub can hold of the shortest ones. */
const MOST_RULES = 200;

/** Whether all that a section says is among the rules; code and tables are no rules. */
export function isWhollyIn({ blocks, plain, sentences }: Section, rules: readonly AlwaysOnRule[]): boolean {
  const texts = new Set(rules.map(({ text }) => text));
  const hasMore = words(plain).length > words(sentences.join(' ')).length;
  return !hasMore && blocks.every((block) => rulesTextsOf(block).every((text) => texts.has(text)));
}

/** Whole sentences alone: what follows a colon or a semicolon is half of one. Nothing ends within a span of code. */
const rulesTextsOf = (block: string) =>
  sentencesOf(block, /\|[\s|:-]*|(?<=[.!?]["”')*_]*)\s+(?=[\p{Lu}"“*\ue000])/u).map((text) =>
    text.replace(/^(?:[-*+]|\d+[.)])\s+/, ''),
  );
