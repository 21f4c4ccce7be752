import type { Rendered } from './exported-agent.ts';
import { joinUnits } from './join-units.ts';
import { COPILOT_LETTERS } from './limits.ts';
import type { Linked } from './relink.ts';
import { renderedFiles, unitFile, type Export } from './unit-files.ts';

/** The file of the whole repository, below `.github`. */
const WHOLE = 'copilot-instructions.md';

/** The file of a unit, below `.github`. */
export const copilotFile = (unit: Linked): string => (unit.always ? WHOLE : ownFile(unit));

const ownFile = ({ name }: Pick<Linked, 'name'>) => `instructions/${name}.instructions.md`;

/**
 * Files for Copilot. Units that always apply are in the file of the repository, as far as it has room. Each other unit
 * is a file of its own: for the files that it is about, or chosen by its description.
 */
export function toCopilot(made: Export): Rendered {
  const { units } = made.agent;
  const sizeLimit = { limit: COPILOT_LETTERS, sizeOf: (text: string) => text.length };
  const join = (of: typeof units) => joinUnits(made, WHOLE, of, sizeLimit);
  // a unit that has no room in the file of the repository can still have its own
  const { placed } = join(units.filter((it) => it.always));
  const inWhole = units.filter(({ name }) => placed.some(({ unit }) => unit.name === name));
  const whole = join(inWhole);
  const others = renderedFiles(
    units
      .filter((it) => !inWhole.includes(it))
      .map((unit) => {
        const applyTo = unit.always ? '**' : unit.files.join(',');
        const membersOf = (description: string) => ({ description, ...(applyTo !== '' && { applyTo }) });
        return unitFile(made, unit, ownFile(unit), membersOf, (text) => text.length > COPILOT_LETTERS);
      }),
  );
  return {
    files: new Map([[WHOLE, whole.text], ...others.files]),
    placed: [...whole.placed, ...others.placed],
    left: [...whole.left, ...others.left],
  };
}
