import type { ExportedAgent, ExportedUnit, Left, LeftReason, ExportTarget } from './exported-agent.ts';
import { apart } from './own-labels.ts';
import { lengthsIn, provenanceLine, provenanceOf, type Provenance } from './provenance.ts';
import { plain, preambleOf, sectionLengths, sectionOf, titleOf } from './section.ts';
import { BOOT } from './unit-files.ts';

/** The limit of a file, and what it counts. */
export interface SizeLimit {
  readonly limit: number;
  readonly sizeOf: (text: string) => number;
}

interface Section {
  readonly unit: ExportedUnit | null;
  readonly text: string;
}

/** The share of a full file that is kept for naming what is left. */
const SHARE_OF_LEFT = 8;

/** Several units in one file, in their order while there is room. What is left is named in its provenance. */
export function joinUnits(
  agent: ExportedAgent,
  target: ExportTarget,
  units: readonly ExportedUnit[],
  sizeLimit: SizeLimit,
): { readonly text: string; readonly left: readonly Left[] } {
  const [rules, ...own] = apart([{ name: BOOT, content: agent.rules }, ...units]);
  const texts = units.map((unit, at) => ({ unit, text: sectionOf({ ...unit, content: own[at]?.content ?? '' }) }));
  const closed = [...rulesOf(rules?.content ?? ''), ...texts];
  const sections = closed.flatMap(({ unit, text }) => (text === null ? [] : [{ unit, text }]));
  const open = closed.filter((it) => it.text === null).map(({ unit }) => leftUnit(unit, 'markup_open'));
  const isWhole = sizeLimit.sizeOf(render(agent, target, sections, [...agent.left, ...open])) <= sizeLimit.limit;
  const kept = isWhole ? sections : whatFits(agent, target, sections, sizeLimit);
  const full = sections.filter((it) => !kept.includes(it)).map(({ unit }) => leftUnit(unit, 'no_room'));
  const left = [...agent.left, ...open, ...full];
  return { text: render(agent, target, kept, left, isWhole ? undefined : sizeLimit), left };
}

const rulesOf = (rules: string) => (rules === '' ? [] : [{ unit: null, text: preambleOf(rules) }]);

const leftUnit = (unit: ExportedUnit | null, reason: LeftReason): Left => ({
  unit: unit?.name ?? BOOT,
  part: 'unit',
  reason,
});

function whatFits(
  agent: ExportedAgent,
  target: ExportTarget,
  sections: readonly Section[],
  sizeLimit: SizeLimit,
): Section[] {
  const most = sizeLimit.limit - Math.ceil(sizeLimit.limit / SHARE_OF_LEFT);
  const all = sections.flatMap(({ unit }) => unit ?? []);
  // the members without a place are few, so they are counted as if every unit were there
  const without = sizeLimit.sizeOf(JSON.stringify(provenanceOf(agent, target, all).without ?? []));
  let size = sizeLimit.sizeOf(render(agent, target, [], [])) + without + NAMES;
  return sections.filter(({ unit, text }) => {
    const needed = sizeLimit.sizeOf(text) + (unit === null ? 0 : sizeInProvenance(unit)) + ENTRY;
    if (size + needed > most) return false;
    size += needed;
    return true;
  });
}

/** The size of one unit in the provenance. */
function sizeInProvenance(unit: ExportedUnit): number {
  const lengths = sectionLengths(unit);
  const told = lengths === null ? 0 : unit.name.length + JSON.stringify(lengths).length + 4;
  return unit.uri.length + (unit.always ? unit.name.length + 3 : 0) + told;
}

/** Characters around a fact in the provenance and a section in the text, and of its members with the longest name. */
const ENTRY = 24;
const NAMES = 160;

function render(
  agent: ExportedAgent,
  target: ExportTarget,
  sections: readonly Section[],
  left: readonly Left[],
  sizeLimit?: SizeLimit,
): string {
  const units = sections.flatMap(({ unit }) => unit ?? []);
  const body = [titleOf(agent.role), plain(introOf(agent)), ...sections.map((it) => it.text)].join('\n\n');
  const write = (provenance: Provenance) => `${provenanceLine(provenance)}\n\n${body}\n`;
  const lengths = new Map(units.flatMap((it) => [...lengthsIn(it, sectionLengths(it))]));
  const whole = provenanceOf(agent, target, units, left, lengths);
  if (sizeLimit === undefined || sizeLimit.sizeOf(write(whole)) <= sizeLimit.limit) return write(whole);
  return write(
    cutLeft(
      whole,
      sizeLimit.limit - sizeLimit.sizeOf(write(provenanceOf(agent, target, units, [], lengths))),
      sizeLimit.sizeOf,
    ),
  );
}

/** The provenance with as many names of left parts as there is room for, and the number of the others. */
function cutLeft({ left = [], ...provenance }: Provenance, free: number, sizeOf: SizeLimit['sizeOf']): Provenance {
  let size = NAMES;
  const named = left.filter((it) => (size += sizeOf(JSON.stringify(it)) + 1) <= free);
  return { ...provenance, left: named, more_left: left.length - named.length };
}

/** The introduction of such a file. */
export function introOf({ agent, deployment }: Pick<ExportedAgent, 'agent' | 'deployment'>): string {
  return `These are the instructions of the agent ${agent} in ${deployment}. Each section is one of them; follow those that the task needs.`;
}
