import { terms } from '../../recall/signals/lexical.ts';
import { Delivery } from '../../schema/source/unit.ts';
import { RESERVED_NAMES } from '../../schema/uri.ts';
import { unitName } from '../../sources/classify-files.ts';
import { normaliseText, splitFrontMatter } from '../../sources/front-matter.ts';
import { decodeYaml } from '../../sources/yaml.ts';
import { knownUnit } from '../documents/known-unit.ts';
import { nameFor, slugOf } from '../documents/names.ts';
import type { Section } from '../documents/sections.ts';
import { choose } from './choose.ts';
import { descriptionsOf } from './describe.ts';
import { isVague } from './phrases.ts';
import { triggerCandidatesOf } from './triggers.ts';

/** A proposed entry, in the form that a publication takes. */
export interface Entry {
  readonly name: string;
  readonly description: string;
  readonly load_triggers?: { readonly intents?: string[]; readonly keywords?: string[] } | undefined;
}

/** A present unit file; `origin` is the document it was migrated from, null if it was written by hand. */
interface ExistingUnit {
  readonly text: string;
  readonly content: string;
  readonly origin: string | null;
  readonly delivery: Delivery | null;
}

/** A section with its proposed entry. */
export interface UnitDraft {
  readonly entry: Entry;
  readonly section: Section;
  readonly current: ExistingUnit | undefined;
  /** The keyword that remains where lint and the gate take all other triggers; null for none. */
  readonly keyword: string | null;
  /** Further descriptions, the best first. */
  readonly descriptions: readonly string[];
  /** Why it should not be listed; null if it may be. */
  readonly unlistedBecause: string | null;
  /** Whether the coverage gate can judge it. */
  readonly isJudged: boolean;
  /** Whether it is a known unit that keeps its triggers, and one that comes with every recall once that is approved. */
  readonly isKnown: boolean;
  readonly isGuaranteed: boolean;
}

/** Whether a draft's words are proposed now: those of a unit that exists, or is known, are its author's. */
export const isFresh = ({ current, isKnown }: Pick<UnitDraft, 'current' | 'isKnown'>) =>
  current === undefined && !isKnown;

/** At most this many units of an agent may be guaranteed. */
const MOST_GUARANTEED = 5;

/** Why a unit is not proposed for the manifest that its author kept out of it. */
export const WAS_UNLISTED = 'it was not listed before';

const IS_SHORT = 'it is smaller than its entry in the manifest; recall still finds it';

const MARKER = '# migrated from ';

/** The line of a unit's front matter that names its document. */
export const markerOf = (path: string) => `${MARKER}${originOf(path)}`;

/** A document's path as written into the marker, on one line. Untrusted: a path may contain control characters. */
export const originOf = (path: string) => path.normalize('NFC').replace(/\p{C}/gu, '?').trim();

/** The unit files of the agent's folder, by name. */
export function readCurrentState(existing: ReadonlyMap<string, string>): Map<string, ExistingUnit> {
  const current = new Map<string, ExistingUnit>();
  for (const [file, text] of existing) {
    if (!file.endsWith('.md') || file === 'boot.md') continue;
    const { yaml, content } = splitFrontMatter(normaliseText(Buffer.from(text)) ?? '');
    const marker = yaml?.split('\n').find((line) => line.startsWith(MARKER));
    const delivery = yaml === null ? null : decodeYaml(Delivery, yaml, file).value;
    current.set(unitName(file), { text, content, delivery, origin: marker?.slice(MARKER.length).trim() ?? null });
  }
  return current;
}

/** One draft for each section. An unchanged section keeps its unit, even if others were added, moved or removed. */
export function draftAll(
  sections: readonly Section[],
  existing: ReadonlyMap<string, ExistingUnit>,
  taken: readonly string[],
): UnitDraft[] {
  const used = new Set([...RESERVED_NAMES, ...taken]);
  const isFree = ({ document }: Section) => {
    const origin = originOf(document.path);
    return (it: string) => !used.has(it) && (existing.get(it)?.origin ?? origin) === origin;
  };
  const kept = sections.map((section) => {
    const own = knownUnit(section)?.name;
    const [same] = [...existing].find(([it, current]) => !used.has(it) && isSame(section, current)) ?? [];
    const name = own !== undefined && isFree(section)(own) ? own : same;
    if (name !== undefined) used.add(name);
    return name;
  });
  const rarity = rarityIn(sections);
  const repeated = repeatedTitles(sections);
  const guaranteed = sections.filter((it) => knownUnit(it)?.guaranteed).slice(0, MOST_GUARANTEED);
  return sections.map((section, i) => {
    const isRepeated = repeated.has(keyOf(section));
    const isGeneric = section.document.scope !== null && isVague(section.title);
    const name = kept[i] ?? nameFor(section, isRepeated || isGeneric, isFree(section));
    used.add(name);
    const draft = toDraft(name, section, existing.get(name), isRepeated, rarity);
    return { ...draft, isGuaranteed: guaranteed.includes(section) };
  });
}

/** A draft before anything is proposed for it. */
const PLAIN = {
  keyword: null,
  descriptions: [],
  unlistedBecause: null,
  isJudged: true,
  isKnown: false,
  isGuaranteed: false,
};

function toDraft(
  name: string,
  section: Section,
  current: ExistingUnit | undefined,
  isRepeated: boolean,
  rarity: (stem: string) => number,
): UnitDraft {
  const plain = { ...PLAIN, section, current };
  if (current?.delivery) {
    const { description, load_triggers } = current.delivery;
    const { intents, keywords } = load_triggers;
    const entry = { name, description, load_triggers: { intents, keywords } };
    return { ...plain, entry };
  }
  const known = knownUnit(section);
  const [described, ...descriptions] = descriptionsOf(section, isRepeated);
  const description = known?.description ?? described;
  const { intents, keywords } = triggerCandidatesOf(section, description, isRepeated, rarity);
  if (known !== null) {
    const entry = { name, description, load_triggers: { intents: [...known.intents], keywords: [...known.keywords] } };
    return { ...plain, entry, unlistedBecause: known.listed ? null : WAS_UNLISTED, isKnown: true };
  }
  const entry = { name, description, load_triggers: { intents: choose(intents), keywords: [...keywords] } };
  return {
    ...plain,
    entry,
    keyword: keywords[0] ?? null,
    descriptions,
    unlistedBecause: section.isShort ? IS_SHORT : null,
  };
}

/** Whether a unit has the text of a section already. */
export function isSame({ document, text }: Section, { origin, content }: ExistingUnit): boolean {
  return origin === originOf(document.path) && content === `${text}\n`;
}

function repeatedTitles(sections: readonly Section[]): ReadonlySet<string> {
  const once = new Set<string>();
  return new Set(sections.map(keyOf).filter((key) => once.has(key) || !once.add(key)));
}

const keyOf = ({ title }: Section) => slugOf(title) || title;

/** Rarity of a stem among the sections: 1 in one of them only, 0 in all. */
function rarityIn(sections: readonly Section[]): (stem: string) => number {
  const counts = new Map<string, number>();
  for (const { text } of sections)
    for (const stem of new Set(terms(text, false))) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  const most = Math.log(sections.length + 1);
  return (stem) => (most === 0 ? 1 : 1 - Math.log(counts.get(stem) ?? 1) / most);
}
