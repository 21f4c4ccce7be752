import type { KnownUnit } from '../../schema/source/known-unit.ts';
import { NOTHING } from '../../sources/legacy-front.ts';
import type { LegacyText } from './known-unit.ts';
import type { LeftOut } from './left-out.ts';
import { MAX_SECTION, parseDocument, toSection, type Section } from './sections.ts';

/**
 * The sections of units that a document states as such: each is one unit, whatever its headings and its size.
 *
 * @throws request_invalid if one would take too long to parse
 */
export function knownSections({ path, known }: LegacyText): { sections: Section[]; leftOut: LeftOut[] } {
  if (known === undefined) return { sections: [], leftOut: [] };
  const { units, rules, role } = known;
  const fits = units.filter((it) => Buffer.byteLength(it.content) <= MAX_SECTION);
  const ofRules = rules && { ...sectionOf(path, rules, role), title: 'boot', known: 'rules' as const };
  return {
    sections: [...(ofRules ? [ofRules] : []), ...fits.map((it) => unitSection(path, it, role))],
    leftOut: units
      .filter((it) => !fits.includes(it))
      .map(({ line, name: what }) => ({ path, line, what, why: `it has more than ${MAX_SECTION} bytes` })),
  };
}

function unitSection(path: string, known: KnownUnit, role: string | null): Section {
  const section = sectionOf(path, known, role);
  return { ...section, title: known.name.replaceAll('-', ' '), opening: known.description, known };
}

function sectionOf(
  path: string,
  { content, line }: Pick<KnownUnit, 'content' | 'line'>,
  title: string | null,
): Section {
  const tree = parseDocument(path, content, line);
  const document = { path, title, front: NOTHING, scope: null, tree, content, firstLine: line };
  const whole = { depth: 0, heading: null, above: [], joined: [], under: [], nodes: tree.children, words: 0 };
  return { ...toSection(document, whole), text: content.trimEnd() };
}
