import { join } from 'node:path';
import type { IndexedUnit } from '../../../compiler/recall/index/search-index.ts';
import type { Encoder } from '../../../compiler/recall/signals/semantic.ts';
import { byText } from '../../../compiler/trust/canonical.ts';
import { migrated } from '../../corpus/ask.ts';
import { colleaguesPrompts } from '../../corpus/colleagues-prompts.ts';
import { freightRepository, questions } from '../../corpus/freight.ts';
import { CEO_INTENTS } from '../../corpus/intents.ts';
import { hasSkills, skillPrompts, skills } from '../../corpus/skills.ts';
import { isBriefed, strangerRepository, STRANGERS } from '../../corpus/strangers.ts';
import { askedGardens, type AskedGarden } from './asked-garden.ts';
import { clincTask, hasClinc } from './clinc.ts';
import { otherSections, skillSections } from './sections.ts';
import { toUnit } from './units.ts';

/** Gardens that are told in one line. */
export interface RankingSet {
  readonly name: string;
  readonly gardens: readonly AskedGarden[];
}

/** Names of the sets that phrases are compared by. */
export const BRIEFED = 'freight, three triggers, eight phrases';
export const AS_TRIGGERS = 'freight, three triggers, the same eight as triggers';

/** A handbook whose units have phrases; the authors of its probes saw neither phrases nor triggers. */
const HANDBOOK = process.env['VADE_HANDBOOK'] ?? 'instructions';

const unrelated = () => skillPrompts().map(({ prompt }) => prompt);

/** The same set with other words for its units. */
export function withWords(
  { gardens }: RankingSet,
  name: string,
  words: (unit: IndexedUnit) => IndexedUnit,
): RankingSet {
  return { name, gardens: gardens.map((it) => ({ ...it, units: it.units.map(words) })) };
}

export const withoutPhrases = (unit: IndexedUnit): IndexedUnit => ({ ...unit, phrases: [] });
const withoutTriggers = (unit: IndexedUnit): IndexedUnit => ({ ...unit, intents: [], keywords: [] });
const phrasesAsTriggers = (unit: IndexedUnit): IndexedUnit => {
  return { ...unit, intents: [...unit.intents, ...unit.phrases], phrases: [] };
};

/** A set of one garden in English. */
function english(
  name: string,
  units: readonly IndexedUnit[],
  { asked, none }: Pick<AskedGarden, 'asked' | 'none'>,
  encoder: Encoder | null,
): RankingSet {
  const sorted = [...units].sort((a, b) => byText(a.name, b.name));
  return { name, gardens: [{ units: sorted, asked, none, guaranteed: [], encoder, functionWords: null }] };
}

/** Every fifth question, asked of three draws of triggers. */
export function clincSets(encoder: Encoder | null): RankingSet[] {
  if (!hasClinc()) return [];
  const gardens = ['1', '2', '3'].flatMap((seed) => {
    const { units, asked, outOfScope: none } = clincTask(5, seed, 'test');
    const fifth = asked.filter((_, at) => at % 5 === 0);
    const prompts = fifth.map(({ text, wanted }) => ({ text, wanted: [units[wanted]?.name ?? ''] }));
    return english('', units, { asked: prompts, none }, encoder).gardens;
  });
  return [{ name: 'CLINC150', gardens }];
}

/** Forty sections of one handbook, three triggers and eight phrases each. */
export async function freightSet(encoder: Encoder | null): Promise<RankingSet> {
  const asked = () => questions().map(({ ask, unit }) => ({ text: ask, wanted: [unit] }));
  const gardens = await askedGardens(encoder, { asked, none: unrelated }, freightRepository(true).path);
  return { name: BRIEFED, gardens };
}

export async function freightSets(encoder: Encoder | null): Promise<RankingSet[]> {
  const whole = await freightSet(encoder);
  return [
    withWords(whole, 'freight, no triggers', (it) => withoutTriggers(withoutPhrases(it))),
    withWords(whole, 'freight, three triggers', withoutPhrases),
    whole,
    withWords(whole, AS_TRIGGERS, phrasesAsTriggers),
    withWords(whole, 'freight, eight phrases alone', withoutTriggers),
    withWords(whole, 'freight, the same eight as triggers', (it) => phrasesAsTriggers(withoutTriggers(it))),
  ];
}

/** The shipped handbook with its phrases; each unit that a probe requires is wanted by itself. */
export async function shippedSet(encoder: Encoder | null): Promise<RankingSet> {
  const asked: Parameters<typeof askedGardens>[1]['asked'] = (_, probes) =>
    probes.flatMap(({ intent, required }) => required.map((name) => ({ text: intent, wanted: [name] })));
  return {
    name: 'shipped, phrases',
    gardens: await askedGardens(encoder, { asked, none: unrelated }, '.', HANDBOOK),
  };
}

export async function shippedSets(encoder: Encoder | null): Promise<RankingSet[]> {
  const whole = await shippedSet(encoder);
  return [whole, withWords(whole, 'shipped, no phrases', withoutPhrases), await colleaguesSet(encoder)];
}

/** The shipped handbook, and prompts by a hand that saw its texts alone; half of them want no page. */
export async function colleaguesSet(
  encoder: Encoder | null,
  prompts = colleaguesPrompts(),
  name = 'shipped, prompts of colleagues',
): Promise<RankingSet> {
  const asked: Parameters<typeof askedGardens>[1]['asked'] = (_, __, agent) =>
    prompts.flatMap((it) => (it.agent === agent && it.wants.length > 0 ? [{ text: it.prompt, wanted: it.wants }] : []));
  const none = (agent: string) =>
    prompts.flatMap((it) => (it.agent === agent && it.wants.length === 0 ? [it.prompt] : []));
  return { name, gardens: await askedGardens(encoder, { asked, none }, '.') };
}

/** Files of twelve strangers, as migrated and with the answers to their briefs; six are not in English. */
export async function strangerSets(encoder: Encoder | null): Promise<RankingSet[]> {
  const sets: RankingSet[] = [];
  for (const briefed of [false, true]) {
    const gardens: AskedGarden[] = [];
    for (const [name, asked] of Object.entries(STRANGERS).filter(([it]) => !briefed || isBriefed(it))) {
      const { path } = await strangerRepository(name, briefed);
      const wantedOf = (units: readonly IndexedUnit[]) =>
        asked.map(({ ask, answer, also }) => {
          const right = units.filter(({ content }) => [answer, ...also].some((it) => content.includes(it)));
          return { text: ask, wanted: right.map((it) => it.name) };
        });
      gardens.push(...(await askedGardens(encoder, { asked: wantedOf, none: unrelated }, path)));
    }
    sets.push({ name: `strangers, ${briefed ? 'briefed' : 'as migrated'}`, gardens });
  }
  return sets;
}

export async function ceoSets(encoder: Encoder | null): Promise<RankingSet[]> {
  const { path } = await migrated(join(import.meta.dirname, '../../corpus/ceo'), 'ceo');
  const asked = (units: readonly IndexedUnit[]) =>
    CEO_INTENTS.map(({ intent, wanted }) => {
      const right = units.filter(({ content }) => wanted.includes(/^#+ (.*)$/m.exec(content)?.[1] ?? ''));
      return { text: intent, wanted: right.map((it) => it.name) };
    });
  return [{ name: 'ceo, as migrated', gardens: await askedGardens(encoder, { asked, none: unrelated }, path) }];
}

const nearMisses = () => skillPrompts().flatMap(({ near = [] }) => near);
const unitName = (folder: string) => folder.replaceAll('/', '-');

/** Real skills with their whole texts; the sentences of its description are a skill's triggers. */
export function skillSets(encoder: Encoder | null): RankingSet[] {
  if (!hasSkills()) return [];
  const units = skills().map(({ folder, description, content }) => {
    const intents = description.split(/(?<=[.!?])\s+/).filter((it) => it.length > 10);
    const title = (folder.split('/').at(-1) ?? '').replaceAll('-', ' ');
    const headings = [title, ...[...content.matchAll(/^#+ +(.+)$/gm)].map(([, heading = '']) => heading)];
    return toUnit({ name: unitName(folder), description, intents, headings, content });
  });
  const asked = skillPrompts().map(({ skill, prompt }) => ({ text: prompt, wanted: [unitName(skill)] }));
  return [english('skills', units, { asked, none: nearMisses() }, encoder)];
}

/** Gardens of so many units: sections of skills, any of which is right, and `freight` among such sections. */
export async function largeSets(size: number, encoder: Encoder | null): Promise<RankingSet[]> {
  if (!hasSkills()) return [];
  const own = skillSections(size < 2_000 ? 2 : 4);
  const chosen = firstThatFit(own, size);
  const hay = [...[...chosen.values()].flat(), ...otherSections()];
  const asked = skillPrompts().flatMap(({ skill, prompt }) => {
    const right = chosen.get(skill)?.map(({ name }) => name) ?? [];
    return right.length === 0 ? [] : [{ text: prompt, wanted: right }];
  });
  const skillsAmong = english(
    `${size} sections of skills and others`,
    hay.slice(0, size),
    { asked, none: nearMisses() },
    encoder,
  );
  const [freight] = (await freightSet(encoder)).gardens;
  if (freight === undefined) return [skillsAmong];
  const units = [...freight.units, ...hay.slice(0, size - freight.units.length)];
  // the sections serve the skills' prompts, so that those are no texts that nothing serves
  const prompts = { asked: freight.asked, none: nearMisses() };
  const briefed = english(`freight, eight phrases, among ${size}`, units, prompts, encoder);
  return [skillsAmong, withWords(briefed, `freight, three triggers, among ${size}`, withoutPhrases), briefed];
}

/** Skills of which all sections fit into so many units. */
function firstThatFit(sections: ReadonlyMap<string, readonly IndexedUnit[]>, size: number) {
  const chosen = new Map<string, readonly IndexedUnit[]>();
  let left = size;
  for (const [folder, units] of sections) {
    if (units.length > left) continue;
    chosen.set(folder, units);
    left -= units.length;
  }
  return chosen;
}
