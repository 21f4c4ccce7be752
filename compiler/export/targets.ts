import type { CountTokens } from '../schema/count-tokens.ts';
import { agentsMdFile, toAgentsMd } from './agents-md.ts';
import { claudeFile, toClaude } from './claude.ts';
import { copilotFile, toCopilot } from './copilot.ts';
import { toCursor } from './cursor.ts';
import type { ExportedAgent, ExportTarget, Left, Rendered } from './exported-agent.ts';
import { INDEX_FILE, writeIndex } from './index-file.ts';
import { relink, type FileOf } from './relink.ts';
import { toSkills } from './skills.ts';
import type { Export } from './unit-files.ts';

/** A format: how it is rendered, and where its files are. */
interface Format {
  readonly render: (made: Export) => Rendered;
  readonly fileOf: FileOf;
  /** Below the folder of the export. */
  readonly folder: string;
}

export const FORMATS: Readonly<Record<ExportTarget, Format>> = {
  'agents-md': { render: toAgentsMd, fileOf: agentsMdFile, folder: '' },
  claude: { render: toClaude, fileOf: claudeFile, folder: '.claude' },
  copilot: { render: toCopilot, fileOf: copilotFile, folder: '.github' },
  cursor: { render: toCursor, fileOf: ({ name }) => `${name}.mdc`, folder: '.cursor/rules' },
  skills: { render: toSkills, fileOf: ({ name }) => `${name}/SKILL.md`, folder: '.agents/skills' },
};

/** The files of an agent for a target, whose links lead from one to the other, and the parts that are in none. */
export function renderAgent(
  agent: ExportedAgent,
  target: ExportTarget,
  countTokens: CountTokens,
): { readonly files: ReadonlyMap<string, string>; readonly left: readonly Left[] } {
  const { render, fileOf } = FORMATS[target];
  const byFile = new Map(agent.units.map((it) => [it.file, it]));
  const exported = new Set(agent.units.map((it) => it.name));
  // a unit that is left may be the target of a link; without the link another may have room, so this can repeat
  for (;;) {
    const units = agent.units.map((it) => relink(it, { byFile, exported }, fileOf));
    const rendered = render({ agent: { ...agent, units }, target, countTokens });
    const gone = rendered.left.filter((it) => it.part === 'unit' && exported.delete(it.unit));
    if (gone.length > 0) continue;
    const left = [...agent.left, ...rendered.left];
    const index = writeIndex(agent, target, { ...rendered, left });
    return { files: new Map([...rendered.files, [INDEX_FILE, index]]), left };
  }
}
