import { toAgentsMd } from './agents-md.ts';
import { COPILOT_FOLDER, copilotHref, toCopilot } from './copilot.ts';
import { toCursor } from './cursor.ts';
import type { ExportedAgent, Rendered, ExportTarget } from './exported-agent.ts';
import { readProvenance, type Provenance } from './provenance.ts';
import { relink, type Href } from './relink.ts';
import { toSkills } from './skills.ts';
import { INDEX_FILE, readIndexFile } from './unit-files.ts';

/** A format: how it is rendered, and where its files are. */
export interface Format {
  readonly render: (agent: ExportedAgent) => Rendered;
  /** Link from one unit's file to another's. */
  readonly href: Href;
  /** Below the folder of the export. */
  readonly folder: string;
  /** The folder below it with one entry for each unit, and the file of such an entry; null for a format of one file. */
  readonly entries: { readonly folder: string; readonly fileOf: (entry: string) => string | null } | null;
}

const fileWith = (ending: string) => (entry: string) => (entry.endsWith(ending) ? entry : null);

export const FORMATS: Readonly<Record<ExportTarget, Format>> = {
  'agents-md': { render: toAgentsMd, href: (_, { name }) => `#${name}`, folder: '', entries: null },
  skills: {
    render: toSkills,
    href: (_, { name }) => `../${name}/SKILL.md`,
    folder: '.agents/skills',
    entries: { folder: '', fileOf: (entry) => (entry.includes('.') ? null : `${entry}/SKILL.md`) },
  },
  cursor: {
    render: toCursor,
    href: (_, { name }) => `${name}.mdc`,
    folder: '.cursor/rules',
    entries: { folder: '', fileOf: fileWith('.mdc') },
  },
  copilot: {
    render: toCopilot,
    href: copilotHref,
    folder: '.github',
    entries: { folder: COPILOT_FOLDER, fileOf: fileWith('.instructions.md') },
  },
};

/** The files of an agent for a target, whose links lead from one to the other. */
export function renderAgent(agent: ExportedAgent, { render, href }: Format): Rendered {
  const byFile = new Map(agent.units.map((it) => [it.file, it]));
  const exported = new Set(agent.units.map((it) => it.name));
  // a unit that is left may be the target of a link; without the link another may have room, so this can repeat
  for (;;) {
    const units = agent.units.map((it) => relink(it, { byFile, exported }, href));
    const rendered = render({ ...agent, units });
    const gone = rendered.left.filter((it) => it.part === 'unit' && exported.delete(it.unit));
    if (gone.length === 0) return rendered;
  }
}

/** The provenance of an exported file; null for a file of somebody else. */
export function provenanceIn(path: string, text: string): Provenance | null {
  return path.endsWith(INDEX_FILE) ? readIndexFile(text) : readProvenance(text);
}
