import { BOOT, type ExportedUnit, type Left, type Rendered } from './exported-agent.ts';
import { MOST_LINES, SKILL_NAME, SKILL_NAME_LETTERS } from './limits.ts';
import { linesIn, renderedFiles, unitFile, type Export, type UnitFile } from './unit-files.ts';

/**
 * One skill for each unit. Skills are loaded on demand: a unit that always applies no longer does so, and is reported.
 */
export function toSkills(made: Export): Rendered {
  const { rules, units } = made.agent;
  const boot: Left[] = rules === '' ? [] : [{ unit: BOOT, part: 'unit', reason: 'on_demand' }];
  const rendered = renderedFiles(units.map((unit) => skillFile(made, unit, `${unit.name}/SKILL.md`)));
  const lazy = rendered.placed.filter(({ unit }) => unit.always);
  const left = lazy.map(({ unit }): Left => ({ unit: unit.name, part: 'always', reason: 'on_demand' }));
  return { ...rendered, left: [...boot, ...rendered.left, ...left] };
}

/** A unit as a skill. */
export function skillFile(made: Export, unit: ExportedUnit, path: string): UnitFile {
  const { name, description: said } = unit;
  if (!SKILL_NAME.test(name) || name.length > SKILL_NAME_LETTERS) return { unit, path, reason: 'name_unfit' };
  if (/[<>]/.test(said)) return { unit, path, reason: 'description_unfit' };
  const intents = unit.intents.filter((it) => !/[<>]/.test(it));
  const membersOf = (description: string) => ({ name, description });
  return { ...unitFile(made, { ...unit, intents }, path, membersOf, (text) => linesIn(text) > MOST_LINES), unit };
}
