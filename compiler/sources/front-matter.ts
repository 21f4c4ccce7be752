import matter from 'gray-matter';

/** A source file as text, cut at its front matter; lines are 1-based. */
export interface SplitFile {
  /** Null where there is none, or one in another language than YAML. */
  readonly yaml: string | null;
  /** The language written after the opening `---`, where it is not YAML. */
  readonly foreign: string | null;
  readonly content: string;
  readonly yamlLine: number;
  readonly contentLine: number;
}

/**
 * UTF-8 text in NFC with LF and without a BOM, or null for bytes that are no text.
 * Untrusted input: nothing is evaluated, nothing is guessed.
 */
export function normaliseText(bytes: Buffer): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.includes('\0') ? null : text.replace(/\r\n?/g, '\n').normalize('NFC');
  } catch {
    return null;
  }
}

/**
 * Splits a normalised file; never throws, so that any old version of a file can be read. gray-matter tells the language
 * alone: it would evaluate `---js`, and it looks for comments in quadratic time.
 */
export function splitFrontMatter(text: string): SplitFile {
  const whole = { yaml: null, foreign: null, content: served(text), yamlLine: 1, contentLine: 1 };
  if (!/^---(?!-)/.test(text)) return whole;
  const { raw, name } = matter.language(text);
  const language = name.toLowerCase();
  if (language !== '' && language !== 'yaml' && language !== 'yml') return { ...whole, foreign: language };
  const from = '---'.length + raw.length;
  const end = text.indexOf('\n---', from);
  const content = end === -1 ? '' : text.slice(end + '\n---'.length).replace(/^\n/, '');
  const blank = /^(?:[ \t]*\n)+/.exec(content)?.[0] ?? '';
  return {
    yaml: text.slice(from, end === -1 ? undefined : end).replace(/^[ \t]*\n/, ''),
    foreign: null,
    content: served(content),
    yamlLine: 2,
    contentLine: text.slice(0, text.length - content.length + blank.length).split('\n').length,
  };
}

/** The body as an agent gets it: no blank lines around it, one newline at the end. */
function served(content: string): string {
  const body = content.replace(/^(?:[ \t]*\n)+/, '').trimEnd();
  return body === '' ? '' : `${body}\n`;
}
