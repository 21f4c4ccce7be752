import { bootUnit, type Rendered } from './exported-agent.ts';
import type { Linked } from './relink.ts';
import { skillFile } from './skills.ts';
import { renderedFiles, unitFile, type Export } from './unit-files.ts';

/**
 * Rules and skills for Claude Code. It loads a rule without `paths` at the start of each session, so only what always
 * applies is one; a unit that is about files is a rule for them, and any other a skill.
 */
export function toClaude(made: Export): Rendered {
  const boot = bootUnit(made.agent);
  const units = boot === null ? made.agent.units : [boot, ...made.agent.units];
  return renderedFiles(
    units.map((unit) => {
      const path = claudeFile(unit);
      if (!isRule(unit)) return skillFile(made, unit, path);
      return unitFile(made, unit, path, () => (unit.always ? {} : { paths: unit.files }));
    }),
  );
}

const isRule = ({ always, files }: Linked) => always || files.length > 0;

/** The file of a unit, below `.claude`. */
export const claudeFile = (unit: Linked): string =>
  isRule(unit) ? `rules/${unit.name}.md` : `skills/${unit.name}/SKILL.md`;
