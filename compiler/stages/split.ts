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

const nothing = () => ({});
const refuse = () => {
  throw new TypeError('only YAML front matter is read');
};
// gray-matter would evaluate `---js`; here it only splits, and refuses every other language
const ENGINES = { yaml: nothing, json: refuse, javascript: refuse };

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

/** Splits a normalised file; never throws, so that any old version of a file can be read. */
export function splitFrontMatter(text: string): SplitFile {
  const whole = { yaml: null, foreign: null, content: served(text), yamlLine: 1, contentLine: 1 };
  if (!/^---(?!-)/.test(text)) return whole;
  const language = matter.language(text).name.toLowerCase();
  if (language !== '' && language !== 'yaml' && language !== 'yml') return { ...whole, foreign: language };
  try {
    // options are always given: without them gray-matter answers from a cache that forgets errors
    const file = matter(text, { engines: ENGINES, language: 'yaml' });
    const before = text.length - file.content.length;
    const blank = /^(?:[ \t]*\n)+/.exec(file.content)?.[0] ?? '';
    return {
      yaml: file.matter.replace(/^[ \t]*\n/, ''),
      foreign: null,
      content: served(file.content),
      yamlLine: 2,
      contentLine: text.slice(0, before + blank.length).split('\n').length,
    };
  } catch {
    return whole;
  }
}

/** The body as an agent gets it: no blank lines around it, one newline at the end. */
function served(content: string): string {
  const body = content.replace(/^(?:[ \t]*\n)+/, '').trimEnd();
  return body === '' ? '' : `${body}\n`;
}
