import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IndexedUnit } from '../../../compiler/recall/index/search-index.ts';
import { splitFrontMatter } from '../../../compiler/sources/front-matter.ts';
import { skills, SKILLS } from '../../corpus/skills.ts';
import { corpusOf } from '../../support/corpus.ts';
import { shuffled } from './random.ts';
import { toUnit } from './units.ts';

/** Fewer characters say too little to be found by. */
const SHORTEST = 100;

interface Section {
  readonly heading: string;
  readonly content: string;
}

/** Cuts a Markdown text before each heading down to a level; code fences are no headings. */
function sectionsOf(text: string, level: number): Section[] {
  const parts: { heading: string; lines: string[] }[] = [];
  let isCode = false;
  for (const line of text.split('\n')) {
    if (/^\s*(```|~~~)/.test(line)) isCode = !isCode;
    const [, marks = '', heading = ''] = (!isCode && /^(#{1,6}) +(.+)$/.exec(line)) || [];
    if (marks !== '' && marks.length <= level) parts.push({ heading, lines: [] });
    else parts.at(-1)?.lines.push(line);
  }
  const sections = parts.map(({ heading, lines }) => ({ heading, content: lines.join('\n').trim() }));
  return sections.filter(({ content }) => content.length >= SHORTEST);
}

/** A unit as a migration without triggers makes it: its heading with its first sentence describes it. */
function unitOf({ heading, content }: Section, name: string): IndexedUnit {
  const prose = content
    .replace(/```[\s\S]*?```/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const [first = ''] = prose.split(/(?<=[.!?:])\s/);
  const description = `${heading}. ${first.slice(0, 200)}`;
  return toUnit({ name, description, intents: [], headings: [heading], content });
}

/** The sections of each skill, by its folder; their names say nothing of it. */
export function skillSections(level: number): Map<string, IndexedUnit[]> {
  let count = 0;
  const named = (it: Section) => unitOf(it, `skill-section-${String(count++).padStart(5, '0')}`);
  return new Map(skills().map(({ folder, content }) => [folder, sectionsOf(content, level).map(named)]));
}

/** Sections of the other Markdown files of the corpus, each text once, in an order that follows from a seed. */
export function otherSections(): IndexedUnit[] {
  const files = [...markdownIn(corpusOf('companies').path), ...markdownIn(SKILLS)];
  const others = files.filter((it) => !it.endsWith('/SKILL.md') || !it.startsWith(SKILLS));
  const sections = others.flatMap((it) => sectionsOf(splitFrontMatter(readFileSync(it, 'utf8')).content, 3));
  const distinct = [...new Map(sections.map((it) => [it.content, it])).values()];
  return shuffled(distinct, 'sections').map((it, at) => unitOf(it, `section-${String(at).padStart(5, '0')}`));
}

function markdownIn(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((it) => it.endsWith('.md'));
  return files.sort().map((it) => join(folder, it));
}
