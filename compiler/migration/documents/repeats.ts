import { findTwins } from '../../lint/rules/likeness.ts';
import type { LeftOut } from './left-out.ts';
import type { Section } from './sections.ts';

/** Maximum number of pairs of similar sections that are named. */
const MOST_TOLD = 10;

interface Distinct {
  readonly sections: readonly Section[];
  readonly leftOut: readonly LeftOut[];
  readonly notices: readonly string[];
}

/**
 * Sections of several documents, each text once: projects copy rules from `AGENTS.md` to `CLAUDE.md`. One that only
 * differs in the space between words from a section of an earlier document, and is about the same files, is left out;
 * one that is mostly the same text is reported.
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
  const twins = findTwins(sections.map((of) => ({ of, text: of.text }))).filter(
    ({ of, twin }) => of.document.path !== twin.document.path,
  );
  const notices = twins
    .slice(0, MOST_TOLD)
    .map(
      ({ of, twin, share }) =>
        `${told(of)}: ${Math.round(share * 100)} % of “${of.title}” and of ${told(twin)} is the same text: keep one of them`,
    );
  return { sections, leftOut, notices };
}

export const placeOf = ({ document: { path }, line }: Section) => ({ path, line });

/** The same for two texts that differ only in the space between words, and are about the same files. */
export const textKey = (text: string, files: readonly string[]): string =>
  JSON.stringify([text.replace(/\s+/g, ' ').trim(), files]);

const told = (it: Section): string => `${it.document.path}:${it.line}`;
