import type { LeftOut } from './left-out.ts';
import type { Section } from './sections.ts';

interface Distinct {
  readonly sections: readonly Section[];
  readonly leftOut: readonly LeftOut[];
}

/**
 * Sections of several documents, each text once: projects copy rules from `AGENTS.md` to `CLAUDE.md`. One that only
 * differs in the space between words from a section of an earlier document, and is about the same files, is left
 * out.
 */
export function distinctSections(all: readonly Section[]): Distinct {
  const first = new Map<string, Section>();
  const leftOut: LeftOut[] = [];
  const sections = all.filter((it) => {
    const key = textKey(it.text, it.document.front.patterns.files);
    const twin = first.get(key);
    if (twin === undefined) first.set(key, it);
    if (twin === undefined || twin.document.path === it.document.path) return true;
    leftOut.push({ ...placeOf(it), what: it.title, why: `the same text as ${told(twin)}` });
    return false;
  });
  return { sections, leftOut };
}

export const placeOf = ({ document: { path }, line }: Section) => ({ path, line });

/** The same for two texts that differ only in the space between words, and are about the same files. */
export const textKey = (text: string, files: readonly string[]): string =>
  JSON.stringify([text.replace(/\s+/g, ' ').trim(), files]);

const told = (it: Section): string => `${it.document.path}:${it.line}`;
