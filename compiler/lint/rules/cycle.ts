import type { Diagnostic } from '../../schema/diagnostics.ts';
import type { Unit } from '../../schema/source/unit.ts';
import { linkedNames } from '../../sources/links.ts';
import { meaning, unitDiagnostic, type LintedGarden } from './linted-garden.ts';

/** A unit with links and fewer words of its own counts as a mere pointer. */
const POINTER = 8;

/**
 * Units that only point at each other, in a cycle: an agent that follows them learns nothing. Two units with content
 * may be `related` to each other.
 */
export function findLinkLoops({ units, folder }: LintedGarden): Diagnostic[] {
  const pointers = units.filter((unit) => isPointer(unit, folder));
  const targets = new Map(
    pointers.map((unit) => [unit.name, linkedNames(unit, folder).filter((name) => name !== unit.name)]),
  );
  const looping = withoutWayOut(targets);
  return pointers.flatMap((unit) => {
    if (!looping.has(unit.name)) return [];
    const led = (targets.get(unit.name) ?? []).join(', ');
    const message = `the unit has no content of its own and links only to ${led}, which have none either`;
    return [unitDiagnostic('link_loop', unit, message, 'write the instruction, or delete the unit')];
  });
}

/** The pointers that lead only to each other; none of them leads to a unit with content, not even indirectly. */
function withoutWayOut(targets: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const left = new Set(targets.keys());
  const leading = new Map<string, string[]>();
  for (const [name, led] of targets) {
    for (const to of led) {
      const known = leading.get(to);
      if (known) known.push(name);
      else leading.set(to, [name]);
    }
  }
  const out = [...leading.keys()].filter((name) => !targets.has(name));
  for (let name = out.pop(); name !== undefined; name = out.pop()) {
    for (const from of leading.get(name) ?? []) if (left.delete(from)) out.push(from);
  }
  return left;
}

function isPointer(unit: Unit, folder: string): boolean {
  if (unit.content === '' || linkedNames(unit, folder).length === 0) return false;
  const prose = unit.content.replace(/^#{1,6} .*$/gm, '').replace(/\[[^\]\n]{0,300}\]\([^)\n]{0,300}\)/g, ' ');
  return meaning(prose).length < POINTER;
}

/** `renamed_from` in a cycle: the history of these units has no beginning. */
export function findLineageCycles({ units }: Pick<LintedGarden, 'units'>): Diagnostic[] {
  const before = new Map(units.map((unit) => [unit.name, unit.delivery.renamed_from]));
  const cycling = inCircles(before);
  return units
    .filter(({ name }) => cycling.has(name))
    .map((unit) => {
      const message = `renamed_from leads from ${unit.name} back to ${unit.name}`;
      const help = 'keep the renamed_from that gives the former name, and remove the others';
      return unitDiagnostic('lineage_cycle', unit, message, help, unit.at('renamed_from'));
    });
}

/** The names in cycles; each name is visited once. */
function inCircles(before: ReadonlyMap<string, string | null>): ReadonlySet<string> {
  const walked = new Set<string>();
  const circles = new Set<string>();
  for (const start of before.keys()) {
    const path: string[] = [];
    let at: string | null = start;
    for (; at !== null && !walked.has(at); at = before.get(at) ?? null) {
      walked.add(at);
      path.push(at);
    }
    const from = at === null ? -1 : path.indexOf(at);
    if (from !== -1) for (const name of path.slice(from)) circles.add(name);
  }
  return circles;
}
