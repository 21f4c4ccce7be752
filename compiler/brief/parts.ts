import type { BriefSection } from './brief.ts';

/** Maximum number of units of a part: a model that writes for more becomes brief, and repeats itself. */
export const MOST_SECTIONS = 12;

/** Maximum number of characters of a part's texts: about 6,000 tokens. A larger text is a part of its own. */
const MOST_CHARACTERS = 24_000;

/** Cuts the units of a garden into parts, in their order. */
export function cutParts(sections: readonly BriefSection[]): readonly (readonly BriefSection[])[] {
  const parts: BriefSection[][] = [];
  let size = 0;
  for (const section of sections) {
    const last = parts.at(-1);
    const { length } = section.beginning ?? section.content;
    size += length;
    if (last && last.length < MOST_SECTIONS && size <= MOST_CHARACTERS) last.push(section);
    else {
      parts.push([section]);
      size = length;
    }
  }
  return parts;
}
