import matter from 'gray-matter';
import { textOfFile } from '../schema/text-file.ts';

/** A source file as text, split at its front matter; lines are 1-based. */
export interface SplitFile {
  /** Null if there is none, or if it is not in YAML. */
  readonly yaml: string | null;
  /** The language after the opening `---`, if it is not YAML. */
  readonly foreign: string | null;
  /** Whether the front matter, where there is one, ends. */
  readonly closed: boolean;
  readonly content: string;
  readonly yamlLine: number;
  readonly contentLine: number;
}

/**
 * UTF-8 text in NFC with LF and without a BOM, or null for bytes that are not text.
 * Untrusted input: the function evaluates nothing and guesses nothing.
 */
export function normaliseText(bytes: Buffer): string | null {
  try {
    const text = textOfFile(bytes);
    if (text.includes('\0')) return null;
    return (text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text).normalize('NFC');
  } catch {
    return null;
  }
}

/**
 * Splits a normalised file; never throws, so that any old version of a file can be read. gray-matter is used only to
 * find the language: its parser would evaluate `---js`, and it looks for comments in quadratic time.
 */
export function splitFrontMatter(text: string): SplitFile {
  const whole = (foreign: string | null) => {
    return { yaml: null, foreign, closed: true, content: served(text), yamlLine: 1, contentLine: 1 };
  };
  if (!/^---(?!-)/.test(text)) return whole(null);
  const { raw, name } = matter.language(text);
  const language = name.toLowerCase();
  if (language !== '' && language !== 'yaml' && language !== 'yml') return whole(language);
  const from = '---'.length + raw.length;
  const end = text.indexOf('\n---', from);
  const content = end === -1 ? '' : text.slice(end + '\n---'.length).replace(/^\n/, '');
  const blank = /^(?:[ \t]*\n)+/.exec(content)?.[0] ?? '';
  return {
    yaml: text.slice(from, end === -1 ? undefined : end).replace(/^[ \t]*\n/, ''),
    foreign: null,
    closed: end !== -1,
    content: served(content),
    yamlLine: 2,
    contentLine: text.slice(0, text.length - content.length + blank.length).split('\n').length,
  };
}

/** The body as served: no blank lines around it, one newline at the end. */
function served(content: string): string {
  const body = content.replace(/^(?:[ \t]*\n)+/, '').trimEnd();
  return body === '' ? '' : `${body}\n`;
}
