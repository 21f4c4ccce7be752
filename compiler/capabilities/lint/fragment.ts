import { findTwins } from '../../lint/rules/likeness.ts';
import { diagnostic, type Diagnostic, type RuleId } from '../../schema/diagnostics.ts';
import { placesIn } from '../../sources/finding.ts';
import type { ReadAtom } from '../read-capabilities.ts';
import { MAX_FRAGMENT_WORDS } from '../schema/atom.ts';

/** The forms of a rule: it forbids or demands, and speaks to the agent. */
const RULE = /^(?:\*\*)?(?:You (?:MUST|must)\b|Never\b|Do not\b|Always\b)/;

const REASON = /\b(?:because|so that|otherwise|or else|since)\b/i;
const ATOM_NAME = /\b[a-z]+::[a-z0-9-]+/g;

/** Whether the text of an atom is short, begins with its rule, gives its reason and stands alone. */
export function lintFragment(atom: ReadAtom, known: ReadonlySet<string>): Diagnostic[] {
  const { text, textFile } = atom;
  const place = placesIn(text);
  const fault = (rule: RuleId, message: string, help: string, index = 0) =>
    diagnostic(rule, textFile, message, help, place(index));
  const words = countWords(text);
  const start = bodyStart(text);
  const faults: Diagnostic[] = [];
  if (words === 0) faults.push(fault('atom_text_long', 'the text is empty', 'write the rule and its reason'));
  if (words > MAX_FRAGMENT_WORDS) {
    const help = `remove ${words - MAX_FRAGMENT_WORDS}, or split the atom`;
    faults.push(fault('atom_text_long', `${words} words; at most ${MAX_FRAGMENT_WORDS} are allowed`, help));
  }
  if (words > 0 && !RULE.test(text.slice(start))) {
    const help = 'begin with “You MUST …” or “You MUST NOT …”';
    faults.push(fault('atom_rule_late', 'the text does not begin with its rule', help, start));
  }
  if (words > 0 && !REASON.test(text)) {
    faults.push(fault('atom_reason_missing', 'the text gives no reason', 'follow the rule with “because …”'));
  }
  return [...faults, ...namesOther(atom, known).map(({ name, index }) => otherNamed(fault, name, index))];
}

function otherNamed(
  fault: (rule: RuleId, message: string, help: string, index: number) => Diagnostic,
  name: string,
  index: number,
): Diagnostic {
  return fault(
    'atom_names_other',
    `the text names ${name}`,
    'state the rule here, without the other atom’s name',
    index,
  );
}

/** Other atoms that a text names, with or without their category; each once. */
function namesOther({ name, text }: ReadAtom, known: ReadonlySet<string>) {
  const found = new Map<string, number>();
  for (const match of text.matchAll(ATOM_NAME)) {
    if (match[0] !== name) found.set(match[0], found.get(match[0]) ?? match.index);
  }
  const tokens = new Map([...text.matchAll(/[a-z0-9]+(?:-[a-z0-9]+)+/g)].map((it) => [it[0], it.index]));
  for (const other of known) {
    const slug = other.split('::')[1] ?? '';
    const index = tokens.get(slug);
    const isOwn = other === name || name.endsWith(`::${slug}`);
    // an atom may be called like a parameter that several of them accept
    if (index !== undefined && !isOwn && ![...found.keys()].some((it) => it.endsWith(slug))) found.set(other, index);
  }
  return [...found].map(([other, index]) => ({ name: other, index }));
}

/** Texts of atoms that say the same. */
export function findRepeats(atoms: readonly ReadAtom[]): Diagnostic[] {
  const twins = findTwins(atoms.map((atom) => ({ of: atom, text: atom.text })));
  return twins.map(({ of, twin, share }) => {
    const message = `${Math.round(share * 100)} % of this text and of ${twin.textFile} is the same`;
    return diagnostic('atom_repeats', of.textFile, message, 'move the common text to a separate atom');
  });
}

function countWords(text: string): number {
  return text.split(/\s+/).filter((it) => /[\p{L}\p{N}]/u.test(it)).length;
}

/** The index of the first line that is neither blank nor a heading. */
function bodyStart(text: string): number {
  let index = 0;
  for (const line of text.split('\n')) {
    if (line.trim() !== '' && !line.startsWith('#')) return index;
    index += line.length + 1;
  }
  return 0;
}
