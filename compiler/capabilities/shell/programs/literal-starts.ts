import type { Field } from '../words/field.ts';

/** Longer code is not read here: it is judged as if it started unknown programs. */
const MAX_CODE = 20_000;
const LANGUAGES = /^(perl|ruby|php|lua)/;

/** Texts of these languages, from left to right. */
const TEXT = /"(?:[^"\\]|\\[^])*"|'(?:[^'\\]|\\[^])*'|`(?:[^`\\]|\\[^])*`/g;
/** A text without anything that the language would replace. */
const LITERAL = /^(?:"[^\\$@#\n]*"|'[^\\\n]*'|`[^\\$@#\n]*`)$/;
/** Signs that no other kind of quotation, comment or search has. */
const SIMPLE = /^(?:[\w\s(){},;.:@=!&|*>"`-]|\[(?![[=])|\]|\$(?!["'`])|\+|<(?!<))*$/;
/** Words by which perl quotes without quotation marks, and signs that begin a comment or a document. */
const QUOTES = /(?<![$@\w])(?:q[qrwx]?|m|s|y|tr)\b|--|\n\s*=|[\w$@]["'`]x?\d/;

const NAMES = 'system|exec|spawn|popen[23]?e?|execute|shell_exec|passthru|capture[23]e?';
const LIST = String.raw`"\d+"(?:\s*,\s*"\d+")*`;
const CALL = new RegExp(
  String.raw`\b(?:${NAMES})(?:\(\s*(?:\[\s*${LIST}\s*\]|${LIST})\s*\)|\s+${LIST}\s*(?=[;}]|$|(?:or|and|if|unless)\b))|${'`'}\d+${'`'}`,
  'g',
);

/** The commands that code starts by their whole texts, and the code without them. */
export interface LiteralStarts {
  readonly commands: readonly (readonly Field[])[];
  readonly rest: Field;
}

/**
 * Null for code that has no such commands, and for code whose texts are not all in plain quotation marks: what is a
 * text there and what is code, only its own language can tell.
 */
export function literalStarts(program: string, code: Field): LiteralStarts | null {
  if (!LANGUAGES.test(program) || code.length > MAX_CODE) return null;
  const texts: string[] = [];
  const plain = code.replaceAll(TEXT, (text) => {
    texts.push(text);
    const isCommand = text.startsWith('`') && !program.startsWith('lua');
    return !LITERAL.test(text) ? `"x${texts.length}"` : isCommand ? `\`${texts.length}\`` : `"${texts.length}"`;
  });
  if (!SIMPLE.test(plain) || QUOTES.test(plain)) return null;
  const textAt = (number: string) => texts[Number(number) - 1] ?? '';
  const commands: Field[][] = [];
  const rest = plain.replaceAll(CALL, (call) => {
    const words = [...call.matchAll(/["`](\d+)["`]/g)].map(([, number = '']) => textAt(number).slice(1, -1));
    // behind a command of one text, a call may have a mode: the text alone is read as well
    commands.push(words, words.slice(0, 1));
    return ' ';
  });
  if (commands.length === 0) return null;
  return { commands, rest: rest.replaceAll(/["`]x?(\d+)["`]/g, (_all, number: string) => textAt(number)) };
}
