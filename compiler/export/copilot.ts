import { describe } from './describe.ts';
import type { ExportedAgent, ExportedUnit, Left, Rendered } from './exported-agent.ts';
import { frontMatter } from './front-matter.ts';
import { joinUnits } from './join-units.ts';
import { COPILOT_LETTERS, DESCRIPTION_LETTERS } from './limits.ts';
import { hasFiles, lengthsIn, provenanceLine, provenanceOf } from './provenance.ts';
import type { Href } from './relink.ts';
import { INDEX_FILE, madeFile, renderedFiles, unmadeFile, type UnitFile } from './unit-files.ts';

/** The file of the whole repository, and the folder of the others, below `.github`. */
const WHOLE = 'copilot-instructions.md';
export const COPILOT_FOLDER = 'instructions';

/**
 * Files for Copilot. Units that always apply are in the file of the repository, as far as it has room. Each other unit
 * is a file of its own, for the files that it is about; one that names none applies to all of them.
 */
export function toCopilot(agent: ExportedAgent): Rendered {
  const own = { ...agent, left: [] };
  const sizeLimit = { limit: COPILOT_LETTERS, sizeOf: (text: string) => text.length };
  const always = agent.units.filter((it) => it.always);
  const whole = joinUnits(own, 'copilot', always, sizeLimit);
  // a unit that has no room in the file of the repository can still have its own
  const overflow = new Set(whole.left.map((it) => it.unit));
  const inWhole = always.filter((it) => !overflow.has(it.name));
  const made = agent.units.filter((it) => !inWhole.includes(it)).map((unit) => fileOf(agent, unit));
  return renderedFiles(
    agent,
    'copilot',
    made,
    {
      files: [[WHOLE, joinUnits(own, 'copilot', inWhole, sizeLimit).text]],
      units: inWhole,
      left: whole.left.filter((it) => it.unit === 'boot'),
    },
    `${COPILOT_FOLDER}/${INDEX_FILE}`,
  );
}

/** Between a file of the repository and those in its folder. */
export const copilotHref: Href = (from, to) => {
  if (to.always) return `${from.always ? '' : `../${WHOLE}`}#${to.name}`;
  return `${from.always ? `${COPILOT_FOLDER}/` : ''}${to.name}.instructions.md`;
};

function fileOf(agent: ExportedAgent, unit: ExportedUnit): UnitFile {
  const path = `${COPILOT_FOLDER}/${unit.name}.instructions.md`;
  const { description, cut, lengths } = describe(unit, DESCRIPTION_LETTERS);
  const left: Left[] = cut ? [{ unit: unit.name, part: 'intents', reason: 'no_room' }] : [];
  const line = provenanceLine(provenanceOf(agent, 'copilot', [unit], left, lengthsIn(unit, lengths)));
  const applyTo = hasFiles('copilot', unit) ? unit.files.join(',') : '**';
  const text = `${frontMatter({ description, applyTo })}${line}\n\n${unit.content.trimEnd()}\n`;
  return text.length > COPILOT_LETTERS ? unmadeFile(unit, path, 'too_large') : madeFile(unit, path, text, left);
}
