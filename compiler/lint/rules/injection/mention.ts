import type { Flat } from './flattening.ts';

/** A negation of the words after it: "never …", not "never forget to …". */
const NEGATED =
  /(?:\b(?:never|not|cannot|avoid|resist|refuse|forbid|prevent|decline|against|without|nor)|n't|\bno one may|\b(?:refus|prevent|forbidd|resist|avoid)\w+)(?! (?:to )?(?:hesitat|fail|forget|refus|worr|mind|be afraid|be shy|neglect|miss|skip|stop|only|just)\w*)(?: (?!(?:and|but|then|instead|just|always|simply|rather|so|because)\b)["\w'/(@-]+){0,9} ?["(]?$/;

/** Reported speech: "… that says", "asks you to", "such as". */
const REPORTED =
  /\b(?:say|said|tell|told|ask|claim|instruct|order|want|try|tri|attempt|read|contain|includ|like|such as|phrase|phrasing|word|text|line|request|demand|pattern|example|e\.g|i\.e)[\w.']*(?: (?:you|it|me|him|them|the (?:agent|model|assistant|reader|reviewer)|an agent|of|as|for|that|are|is|to be|that you)){0,3}(?: to| that)?[ :(,"]*$/;

/** A sentence that warns. */
const WARNS =
  /\b(?:never|not|cannot|refus|reject|report|attack|inject|malicious|hostile|suspicious|untrusted|manipulat|phish|jailbreak|adversar|attempt|treat|flag|escalat|warn|red flag|forbid|forbidden|prohibit|trick|data only|as data|do nothing|sanitis|sanitiz|strip|block|detect|spot|sign of|signs of)\w*|n't\b/;
/** A line that forbids the items of the list under it, or calls them hostile. */
const FORBIDS =
  /\b(?:never|not|cannot|attack|inject|malicious|hostile|suspicious|manipulat|jailbreak|adversar|red flag|forbid|forbidden|prohibit|refus|reject|trick|signs? of)\w*|n't\b/;
/** Words that look like a warning but are not. */
const DISARMED =
  /\b(?:never|not|n't|cannot)(?: to)? (?:hesitat|fail|forget|refus|reject|report|flag|escalat|warn|treat|block|worr|mind|be afraid|neglect|miss|skip)\w*/g;

const LONGEST = 400;

/**
 * Whether a phrase is only mentioned: forbidden in its own sentence, or quoted or reported in a warning. A handbook has
 * to be able to describe an attack.
 */
export function isMention(flat: Flat, start: number, end: number): boolean {
  const from = sentenceStart(flat.text, start);
  const before = flat.text.slice(from, start);
  if (NEGATED.test(before)) return true;
  const to = sentenceEnd(flat.text, end);
  const lead = leadIn(flat, start);
  if (lead.endsWith(':') && FORBIDS.test(disarm(lead))) return true;
  const spokenOf = flat.quoted[start] === 1 || REPORTED.test(before);
  if (!spokenOf) return false;
  const previous = flat.text.slice(sentenceStart(flat.text, Math.max(0, from - 2)), from);
  const next = flat.text.slice(to, sentenceEnd(flat.text, to + 1));
  return [before, flat.text.slice(end, to), previous, next, lead].some(warns);
}

function warns(text: string): boolean {
  return WARNS.test(disarm(text));
}

function disarm(text: string): string {
  return text.replace(DISARMED, ' ');
}

function sentenceStart(text: string, at: number): number {
  const floor = Math.max(0, at - LONGEST);
  for (let i = at - 1; i >= floor; i--) {
    const character = text.charAt(i);
    if (character === '\n' || (/[.!?;]/.test(character) && /["' )\n]/.test(text.charAt(i + 1)))) return i + 1;
  }
  return floor;
}

function sentenceEnd(text: string, at: number): number {
  const ceiling = Math.min(text.length, at + LONGEST);
  for (let i = at; i < ceiling; i++) {
    const character = text.charAt(i);
    if (character === '\n' || (/[.!?;]/.test(character) && /["' )\n]/.test(text.charAt(i + 1)))) return i;
  }
  return ceiling;
}

/** For an item, the line that introduces its list; otherwise the line above. */
function leadIn({ text, items }: Flat, at: number): string {
  let start = text.lastIndexOf('\n', at - 1) + 1;
  for (let lines = 0; start > 0 && lines < 100; lines++) {
    const inList = items.has(start);
    const end = start - 1;
    start = text.lastIndexOf('\n', end - 1) + 1;
    if (!inList || !items.has(start)) return text.slice(Math.max(start, end - LONGEST), end).trim();
  }
  return '';
}
