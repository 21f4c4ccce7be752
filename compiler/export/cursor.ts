import { describe } from './describe.ts';
import type { ExportedAgent, ExportedUnit, Left, Rendered } from './exported-agent.ts';
import { frontMatter } from './front-matter.ts';
import { CURSOR_LINES, DESCRIPTION_LETTERS } from './limits.ts';
import { lengthsIn, provenanceLine, provenanceOf } from './provenance.ts';
import { bootUnit, linesIn, madeFile, renderedFiles, unmadeFile, type UnitFile } from './unit-files.ts';

/** One rule for each unit: always applied where the unit is, otherwise chosen by its description. */
export function toCursor(agent: ExportedAgent): Rendered {
  const boot = bootUnit(agent);
  const rules = boot === null ? [] : [ruleOf(agent, boot, [])];
  const made = agent.units.map((unit) => ruleOf(agent, unit, [unit]));
  return renderedFiles(agent, 'cursor', made, {
    files: rules.flatMap(({ path, text }) => (text === null ? [] : [[path, text] as const])),
    units: [],
    left: rules.flatMap((it) => it.left),
  });
}

function ruleOf(agent: ExportedAgent, unit: ExportedUnit, facts: readonly ExportedUnit[]): UnitFile {
  const path = `${unit.name}.mdc`;
  const { description, cut, lengths } = describe(unit, DESCRIPTION_LETTERS);
  const left: Left[] = cut ? [{ unit: unit.name, part: 'intents', reason: 'no_room' }] : [];
  const line = provenanceLine(provenanceOf(agent, 'cursor', facts, left, lengthsIn(unit, lengths)));
  const globs = unit.files.length === 0 ? null : unit.files.join(',');
  const head = frontMatter({ description, globs, alwaysApply: unit.always });
  const text = `${head}${line}\n\n${unit.content.trimEnd()}\n`;
  return linesIn(text) > CURSOR_LINES ? unmadeFile(unit, path, 'too_large') : madeFile(unit, path, text, left);
}
