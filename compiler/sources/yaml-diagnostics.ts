import type { Document } from 'yaml';
import { diagnostic, type Diagnostic, type Position } from '../schema/diagnostics.ts';
import { quoted, quoteIt } from '../schema/issue-wording.ts';

type YamlError = Document['errors'][number];

/** The help for an error of the parser, by its code; other errors explain themselves. */
const FIXES: Partial<Record<YamlError['code'], string>> = {
  BAD_DQ_ESCAPE: 'write \\\\ for a backslash, or use single quotes',
  BAD_INDENT: 'indent it like the lines around it',
  DUPLICATE_KEY: 'keep one of the two',
  MULTIPLE_DOCS: 'remove the line of “...”; front matter ends with a line of --- alone',
  MISSING_CHAR: 'add what is missing here, or on a line above',
  TAB_AS_INDENT: 'indent with spaces',
  TAG_RESOLVE_FAILED: 'remove the tag that begins with “!”, or quote the value',
};

/** Messages of the parser to programmers, reworded for authors. */
const MESSAGES: Partial<Record<YamlError['code'], string>> = {
  MULTIPLE_DOCS: 'a second document of YAML begins here; only one is read',
};

/**
 * Rewrites the errors of the YAML parser for authors. One unquoted value causes several errors on its line, which
 * describe only the parser's state: they become one error that says which value to quote, and how.
 *
 * @param text the parsed text
 */
export function yamlDiagnostics(
  errors: readonly YamlError[],
  text: string,
  file: string,
  position: (offset: number) => Position,
): Diagnostic[] {
  const rows = text.split('\n');
  const first = position(0).line;
  // each line is checked once: a hostile line has an error for every character
  const unquoted = new Map<number, ReturnType<typeof unquotedValue>>();
  const faults: Diagnostic[] = [];
  for (const error of errors) {
    const { line, column } = position(error.pos[0]);
    const known = unquoted.get(line);
    if (known) continue;
    const found = known === undefined ? unquotedValue(rows[line - first] ?? '') : null;
    unquoted.set(line, found);
    if (found === null) {
      const help = FIXES[error.code] ?? 'correct the YAML here';
      faults.push(
        diagnostic('yaml_invalid', file, MESSAGES[error.code] ?? firstSentence(error.message), help, { line, column }),
      );
    } else {
      faults.push(diagnostic('yaml_invalid', file, found.message, found.help, { line, column: found.at + 1 }));
    }
  }
  return faults;
}

/** `key: value` or `- value`; after a dash only the first key of a probe counts as a key. */
const VALUE = /^(\s*(?:(?:- +)?(?:intent|required|forbidden): +|- +|[\w-]+: +))(\S.*)$/;

/** The problem of a line's unquoted value, and the line with quotes; null if nothing has to be quoted. */
function unquotedValue(line: string): { readonly at: number; readonly message: string; readonly help: string } | null {
  const [, lead = '', value = ''] = VALUE.exec(line.trimEnd()) ?? [];
  if (value === '') return null;
  const reserved = /^[@`%]/.exec(value)?.[0];
  const holdsColon = /:(?: |$)/.test(value) && !/^["'[{|>&!*#]/.test(value);
  if (reserved === undefined && !holdsColon) return null;
  const message =
    reserved === undefined
      ? 'the value contains a colon and a space, which YAML reads as a key'
      : `the value begins with “${reserved}”, which YAML reserves`;
  return { at: lead.length, message, help: quoteIt(`${lead.trimStart()}${quoted(value)}`) };
}

function firstSentence(message: string): string {
  return message.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/, '') ?? message;
}
