import {
  BOOT,
  bootUnit,
  placeOf,
  type ExportedUnit,
  type Left,
  type PlacedUnit,
  type Section,
} from './exported-agent.ts';
import { apart } from './own-labels.ts';
import { provenanceLine } from './provenance.ts';
import { blockOf, titleOf, type Block } from './section.ts';
import type { Export } from './unit-files.ts';

/** The limit of a file, and what it counts. */
export interface SizeLimit {
  readonly limit: number;
  readonly sizeOf: (text: string) => number;
}

/** Several units as one file, and what has no place in it. */
export interface JoinedFile {
  readonly text: string;
  readonly placed: readonly PlacedUnit[];
  readonly left: readonly Left[];
}

/**
 * The rules of `boot.md` and several units in one file, in their order. Where it is full, those that always apply stay
 * first, then those with the highest priority.
 */
export function joinUnits(
  { agent, target }: Export,
  file: string,
  units: readonly ExportedUnit[],
  sizeLimit: SizeLimit,
): JoinedFile {
  const boot = bootUnit(agent);
  const all = apart(boot === null ? units : [boot, ...units]);
  const closed = all.flatMap((it) => blockOf(it) ?? []);
  const write = (blocks: readonly Block[]) => {
    const sections = sectionsOf(blocks);
    const texts = [provenanceLine({ ...agent, target }), ...titleFor(agent.role, blocks), ...sections.map(textOf)];
    return { text: `${texts.join('\n\n')}\n`, sections };
  };
  const isWhole = sizeLimit.sizeOf(write(closed).text) <= sizeLimit.limit;
  const kept = isWhole ? closed : whatFits(closed, sizeLimit.sizeOf(write([]).text), sizeLimit);
  const { text, sections } = write(kept);
  const left = all.flatMap((unit): Left[] => {
    if (kept.some((it) => it.unit === unit)) return [];
    const isClosed = closed.some((it) => it.unit === unit);
    return [{ unit: unit.name, part: 'unit', reason: isClosed ? 'no_room' : 'markup_open' }];
  });
  return { text, placed: sections.map(({ unit, section }) => ({ unit, file, section })), left };
}

function whatFits(blocks: readonly Block[], used: number, { limit, sizeOf }: SizeLimit): Block[] {
  let size = used;
  const kept = [...blocks].sort(byWeight).filter(({ unit, text }) => {
    // with its name as a heading, at most
    const needed = sizeOf(`\n\n## ${unit.name}\n\n${text}`);
    if (size + needed > limit) return false;
    size += needed;
    return true;
  });
  return blocks.filter((it) => kept.includes(it));
}

const byWeight = ({ unit: a }: Block, { unit: b }: Block) =>
  Number(b.always) - Number(a.always) || Number(b.listed) - Number(a.listed) || b.priority - a.priority;

/** A file whose document has a title of its own needs no other. */
function titleFor(role: string, blocks: readonly Block[]): string[] {
  const first = blocks.find(({ unit }) => unit.name !== BOOT);
  const hasOwn = first !== undefined && first.unit.source !== null && first.level === 1;
  return role === '' || hasOwn ? [] : [titleOf(role)];
}

/** A section as it is written. */
interface WrittenSection {
  readonly unit: ExportedUnit;
  readonly text: string;
  readonly section: Section;
}

const textOf = ({ text }: WrittenSection) => text;

const sectionsOf = (blocks: readonly Block[]) => blocks.map((it, i) => sectionOf(it, blocks[i - 1] ?? null));

/** @param before the section before it */
function sectionOf(block: Block, before: Block | null): WrittenSection {
  const { unit, lowered } = block;
  const added = addedHeading(block, before);
  const repeated = added === null && before !== null ? repeatedHeading(block, before) : null;
  const own = repeated === null ? block.text : block.text.slice(repeated.length + 2);
  const text = added === null ? own : `${added}\n\n${own}`;
  const lines = text.split('\n');
  const section: Section = {
    start: lines[0] ?? '',
    lines: lines.length,
    ...(added !== null && { added: true }),
    ...(lowered !== 0 && { lowered }),
    ...(repeated !== null && { repeated }),
  };
  return { unit, text, section };
}

/** The heading without which a text would belong to the section before it. */
function addedHeading({ unit, level }: Block, before: Block | null): string | null {
  if (unit.name === BOOT) return null;
  if (unit.source === null) return level === null ? `## ${unit.name}` : null;
  if (before === null || isNextIn(unit, before.unit) || level === 1) return null;
  return level === null || before.unit.source !== null ? `# ${unit.name}` : null;
}

const isNextIn = (unit: ExportedUnit, before: ExportedUnit) =>
  unit.source !== null && placeOf(unit).document === placeOf(before).document;

/** The heading of a part of a long section, which the part before it has: the document has it once. */
function repeatedHeading({ unit, text }: Block, before: Block): string | null {
  const [heading] = /^#{1,6} .*(?=\n\n[^\n])/.exec(text) ?? [];
  if (heading === undefined || !isNextIn(unit, before.unit)) return null;
  const [leading = ''] = /^(?:#{1,6} .*\n+)+/.exec(before.text) ?? [];
  return leading.split('\n').includes(heading) ? heading : null;
}
