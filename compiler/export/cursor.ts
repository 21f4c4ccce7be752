import { bootUnit, type Rendered } from './exported-agent.ts';
import { MOST_LINES } from './limits.ts';
import { linesIn, renderedFiles, unitFile, type Export } from './unit-files.ts';

/** One rule for each unit: always applied where the unit is, otherwise chosen by its description. */
export function toCursor(made: Export): Rendered {
  const boot = bootUnit(made.agent);
  const units = boot === null ? made.agent.units : [boot, ...made.agent.units];
  return renderedFiles(
    units.map((unit) => {
      const globs = unit.files.length === 0 ? null : unit.files.join(',');
      const membersOf = (description: string) => ({ description, globs, alwaysApply: unit.always });
      return unitFile(made, unit, `${unit.name}.mdc`, membersOf, (text) => linesIn(text) > MOST_LINES);
    }),
  );
}
