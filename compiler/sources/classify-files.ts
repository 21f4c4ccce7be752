import { MAX_SKILL_BYTES } from '../schema/bundle/skill.ts';
import { diagnostic, type Diagnostic } from '../schema/diagnostics.ts';
import { MAX_SENTENCES_BYTES } from '../schema/source/probe.ts';
import { SUBMODULE_MODE, SYMLINK_MODE, type Sources, type TreeFile } from '../schema/source/sources.ts';
import { MAX_UNIT_BYTES } from '../schema/source/unit.ts';
import { Name, RESERVED_GARDENS, RESERVED_NAMES, SHARED } from '../schema/uri.ts';
import { placeCapability, stray, type CapabilitySite } from './place-capability.ts';

/** The files of one agent's folder. */
export interface AgentSite {
  readonly name: string;
  config: TreeFile | null;
  boot: TreeFile | null;
  readonly units: TreeFile[];
}

/** The files of the sources by kind (DESIGN §5), before any of them is read. */
export interface Site extends CapabilitySite {
  org: TreeFile | null;
  readonly trust: Map<number, TreeFile>;
  readonly agents: Map<string, AgentSite>;
  readonly shared: TreeFile[];
  readonly probes: Map<string, TreeFile>;
  /** By agent, and `shared` for the shared units. */
  readonly phrases: Map<string, TreeFile>;
  readonly approvals: TreeFile[];
}

/** Sorts the tree by kind of file; a file of no known kind is reported, never dropped silently. */
export function classifyFiles(sources: Sources): { site: Site; faults: Diagnostic[] } {
  const site: Site = {
    org: null,
    trust: new Map(),
    agents: new Map(),
    shared: [],
    probes: new Map(),
    phrases: new Map(),
    approvals: [],
    atoms: new Map(),
    roles: new Map(),
  };
  const faults: Diagnostic[] = [...(sources.faults ?? [])];
  for (const file of sources.tree.values()) {
    const refusal = isHidden(file.path)
      ? stray(file)
      : refuse(file, file.skill ? MAX_SKILL_BYTES : mostBytes(sources.folder, file.path));
    if (refusal) faults.push(refusal);
    else faults.push(...place(site, file, file.path.slice(sources.folder.length + 1).split('/')));
  }
  for (const agent of site.agents.values()) {
    if (agent.config) continue;
    const folder = `${sources.folder}/agents/${agent.name}`;
    faults.push(
      diagnostic(
        'agent_missing',
        `${folder}/agent.yaml`,
        `agent ${agent.name} has no agent.yaml`,
        'add one with agent_id, role and heartbeat_contract',
      ),
    );
  }
  return { site, faults };
}

/**
 * Whether a file is hidden: editors and systems leave such files beside others, for example the links by which Emacs
 * locks a file. They are never sources.
 */
function isHidden(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return name.startsWith('.') && name !== '.gitkeep';
}

/** Maximum number of bytes that are read of a source file. */
export function mostBytes(folder: string, path: string): number {
  const isSentences = ['phrases', 'probes'].some((it) => path.startsWith(`${folder}/${it}/`));
  return isSentences ? MAX_SENTENCES_BYTES : MAX_UNIT_BYTES;
}

function refuse(file: TreeFile, most: number): Diagnostic | null {
  if (file.mode === SYMLINK_MODE) {
    return diagnostic('symlink', file.path, 'a symbolic link could point anywhere', 'commit the file itself');
  }
  if (file.mode === SUBMODULE_MODE) {
    return diagnostic('submodule', file.path, 'a submodule is not part of this history', 'commit its files here');
  }
  if (file.size > most && !file.path.endsWith('.json')) {
    const message = `${file.size} bytes; at most ${most} are read`;
    return diagnostic('unit_too_large', file.path, message, 'split it into several units');
  }
  return null;
}

function place(site: Site, file: TreeFile, parts: readonly string[]): Diagnostic[] {
  const [top = '', second = '', third] = parts;
  if (top === 'capabilities' || top === 'roles') return placeCapability(site, file, parts);
  if (parts.length === 3 && top === 'agents' && third !== undefined) return placeInAgent(site, file, second, third);
  if (parts.length === 2 && top === 'shared' && second.endsWith('.md')) return placeUnit(site.shared, file, second);
  if (parts.length === 2 && top === 'trust' && /^[1-9]\d*\.json$/.test(second)) {
    site.trust.set(Number.parseInt(second, 10), file);
  } else if (parts.length === 2 && top === 'probes' && second.endsWith('.yaml')) {
    site.probes.set(second.slice(0, -'.yaml'.length), file);
  } else if (parts.length === 2 && top === 'phrases' && second.endsWith('.yaml')) {
    site.phrases.set(second.slice(0, -'.yaml'.length), file);
  } else if (parts.length === 2 && top === 'approvals' && second.endsWith('.json')) {
    site.approvals.push(file);
  } else if (parts.length === 1 && top === 'org.yaml') {
    site.org = file;
  } else if (!(parts.length === 1 && top.endsWith('.md')) && parts.at(-1) !== '.gitkeep') {
    return [stray(file)];
  }
  return [];
}

function placeInAgent(site: Site, file: TreeFile, agent: string, name: string): Diagnostic[] {
  const own = Name.safeParse(agent);
  if (!own.success || RESERVED_GARDENS.includes(agent)) {
    const help = `name it with [a-z0-9-], and none of ${RESERVED_GARDENS.join(', ')}`;
    return [diagnostic('agent_folder_invalid', file.path, `“${agent}” is not a valid agent name`, help)];
  }
  const folder = site.agents.get(agent) ?? { name: agent, config: null, boot: null, units: [] };
  site.agents.set(agent, folder);
  if (name === 'agent.yaml') folder.config = file;
  else if (name === 'boot.md') folder.boot = file;
  else if (name.endsWith('.md')) return placeUnit(folder.units, file, name);
  else return [stray(file)];
  return [];
}

function placeUnit(units: TreeFile[], file: TreeFile, fileName: string): Diagnostic[] {
  const name = fileName.slice(0, -'.md'.length);
  if (RESERVED_NAMES.includes(name)) {
    return [diagnostic('name_reserved', file.path, `“${name}” is reserved`, 'choose another file name')];
  }
  const checked = Name.safeParse(name);
  if (!checked.success) {
    return [
      diagnostic(
        'name_invalid',
        file.path,
        `“${name}” is not a valid unit name`,
        'name the file with [a-z0-9-] and .md',
      ),
    ];
  }
  units.push(file);
  return [];
}

/** The name of a unit, from its file name. */
export function unitName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1, -'.md'.length);
}

/** The names of the units in files. */
export function unitNames(files: readonly TreeFile[]): Set<string> {
  return new Set(files.map(({ path }) => unitName(path)));
}

/** The agent whose probes a path has; null for other paths. */
export function probedAgent(folder: string, path: string): string | null {
  const place = `${folder}/probes/`;
  const name = path.startsWith(place) && path.endsWith('.yaml') ? path.slice(place.length, -'.yaml'.length) : '';
  // no agent may have the name of all
  return name === '' || name === SHARED || name.includes('/') ? null : name;
}

/** The garden of a source path: an agent's name, or `shared`; null for other paths. */
export function gardenOf(folder: string, path: string): string | null {
  const [top, second, third] = path.slice(folder.length + 1).split('/');
  if (top === 'agents' && second !== undefined && third !== undefined) return second;
  return top === SHARED && second !== undefined ? SHARED : null;
}
