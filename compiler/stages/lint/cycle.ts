import type { Fault } from '../../model/fault.ts';
import type { Unit } from '../../model/unit.ts';
import { linkedNames } from '../link.ts';
import { meaning, told, type LintedGarden } from './plot.ts';

/** Words of its own below which a unit with links only points elsewhere. */
const POINTER = 8;

/**
 * Units that only point at each other, in a circle: an agent that follows them learns nothing. That two units with
 * something to say are `related` to each other is as it should be.
 */
export function findLinkLoops({ units, folder }: LintedGarden): Fault[] {
  const pointers = new Map(units.filter((unit) => isPointer(unit, folder)).map((unit) => [unit.name, unit]));
  const targets = (unit: Unit) => linkedNames(unit, folder).filter((name) => name !== unit.name);
  // what leads to a unit with content, straight or by others, is no loop
  for (let before = -1; before !== pointers.size;) {
    before = pointers.size;
    for (const [name, unit] of pointers) if (!targets(unit).every((it) => pointers.has(it))) pointers.delete(name);
  }
  return [...pointers.values()].map((unit) => {
    const message = `the unit says nothing of its own and leads only to ${targets(unit).join(', ')}, which do not either`;
    return told('link_loop', unit, message, 'write the instruction, or delete the unit');
  });
}

function isPointer(unit: Unit, folder: string): boolean {
  if (unit.content === '' || linkedNames(unit, folder).length === 0) return false;
  const prose = unit.content.replace(/^#{1,6} .*$/gm, '').replace(/\[[^\]\n]{0,300}\]\([^)\n]{0,300}\)/g, ' ');
  return meaning(prose).length < POINTER;
}

/** `renamed_from` in a circle: the history of none of these units has a beginning. */
export function findLineageCycles({ units }: LintedGarden): Fault[] {
  const before = new Map(units.map((unit) => [unit.name, unit.delivery.renamed_from]));
  return units
    .filter(({ name }) => returns(name, before))
    .map((unit) => {
      const message = `renamed_from leads from ${unit.name} back to ${unit.name}`;
      const help = 'keep the one that tells what the unit was before, and remove the others';
      return told('lineage_cycle', unit, message, help, unit.at('renamed_from'));
    });
}

function returns(name: string, before: ReadonlyMap<string, string | null>): boolean {
  const seen = new Set<string>();
  for (let at = before.get(name) ?? null; at !== null && !seen.has(at); at = before.get(at) ?? null) {
    if (at === name) return true;
    seen.add(at);
  }
  return false;
}
