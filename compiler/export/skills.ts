import { describe } from './describe.ts';
import type { ExportedAgent, ExportedUnit, Left, Rendered } from './exported-agent.ts';
import { frontMatter } from './front-matter.ts';
import { SKILL_DESCRIPTION_LETTERS, SKILL_LINES, SKILL_NAME, SKILL_NAME_LETTERS } from './limits.ts';
import { lengthsIn, METADATA_KEY, provenanceOf, provenanceValue } from './provenance.ts';
import { BOOT, linesIn, madeFile, renderedFiles, unmadeFile, type UnitFile } from './unit-files.ts';

/**
 * One skill for each unit. Skills are loaded on demand: a unit that always applies no longer does so, and is reported.
 */
export function toSkills(agent: ExportedAgent): Rendered {
  const rules: Left[] = agent.rules === '' ? [] : [{ unit: BOOT, part: 'unit', reason: 'on_demand' }];
  const made = agent.units.map((unit) => skillOf(agent, unit));
  return renderedFiles(agent, 'skills', made, { files: [], units: [], left: rules });
}

function skillOf(agent: ExportedAgent, unit: ExportedUnit): UnitFile {
  const path = `${unit.name}/SKILL.md`;
  if (!SKILL_NAME.test(unit.name) || unit.name.length > SKILL_NAME_LETTERS) return unmadeFile(unit, path, 'name_unfit');
  const { description, cut, lengths } = describe(unit, SKILL_DESCRIPTION_LETTERS);
  if (/[<>]/.test(description)) return unmadeFile(unit, path, 'description_unfit');
  const left: Left[] = [
    ...(unit.always ? [{ unit: unit.name, part: 'always', reason: 'on_demand' } as const] : []),
    ...(cut ? [{ unit: unit.name, part: 'intents', reason: 'no_room' } as const] : []),
  ];
  const value = provenanceValue(provenanceOf(agent, 'skills', [unit], left, lengthsIn(unit, lengths)));
  const head = frontMatter({ name: unit.name, description }, `metadata:\n  ${METADATA_KEY}: ${value}\n`);
  const text = `${head}\n${unit.content.trimEnd()}\n`;
  return linesIn(text) > SKILL_LINES ? unmadeFile(unit, path, 'too_large') : madeFile(unit, path, text, left);
}
