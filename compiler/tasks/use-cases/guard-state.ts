import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ORCHESTRATOR_FILE, ROOT_FILE } from '../../capabilities/gate/disk-store.ts';
import { guardingParts } from '../../capabilities/hooks/guarding-parts.ts';
import { installedHooks, readSettings } from '../../capabilities/hooks/host-settings.ts';
import { lineOf } from '../../capabilities/hooks/judge-hooks.ts';
import { MAX_SETTINGS_BYTES } from '../../capabilities/use-cases/settings-file.ts';
import { readIfThere } from '../../io/files/file.ts';
import { gateDigest, programDigests } from '../../io/programs/program-digests.ts';
import { orNull } from '../../schema/or-null.ts';
import { canonicalJson, sha256 } from '../../trust/canonical.ts';
import type { Plan } from '../schema/plan.ts';

/** Folder of the bindings of a repository's gate, and the working tree whose settings a host may read. */
export interface GuardPlace {
  readonly tasks: string;
  /** Of the main working tree. */
  readonly top: string;
}

/** Settings of an organisation, which win over those of a person: https://code.claude.com/docs/en/settings */
const MANAGED = [
  '/etc/claude-code',
  '/Library/Application Support/ClaudeCode',
  String.raw`C:\Program Files\ClaudeCode`,
];

/**
 * The digests of everything that stops an agent or judges it: the gate's hooks and their switches in every layer that
 * the host reads, the gate's file, the pinned key and root, and the programs git, node and vade.
 */
export function readGuard({ tasks, top }: GuardPlace, env: NodeJS.ProcessEnv): Plan['guard'] {
  const entries: Plan['guard'] = programDigests(top);
  for (const path of layersOf(top, env)) {
    const text = textOf(path);
    const parts = text === null ? null : guardingParts(text, tasks);
    if (parts !== null) entries[`settings ${path}`] = sha256(canonicalJson(parts));
    for (const gate of gatesIn(text ?? '', path, tasks)) Object.assign(entries, gateDigest(gate));
  }
  for (const name of [ORCHESTRATOR_FILE, ROOT_FILE]) {
    const pinned = textOf(join(tasks, name));
    if (pinned !== null) entries[`pinned ${name}`] = sha256(pinned);
  }
  return entries;
}

/** Settings in an agent's own worktree that switch hooks off, for a host that is started there; none is right. */
export function switchesIn(worktree: string, { tasks }: Pick<GuardPlace, 'tasks'>): Plan['guard'] {
  const paths = ['settings.json', 'settings.local.json'].map((it) => join(worktree, '.claude', it));
  const found = paths.flatMap((path) => {
    const parts = guardingParts(textOf(path) ?? '{}', tasks);
    return parts === null ? [] : [[`settings ${path}`, sha256(canonicalJson(parts))] as const];
  });
  return Object.fromEntries(found);
}

function layersOf(top: string, env: NodeJS.ProcessEnv): string[] {
  const home = env['HOME'] ?? '';
  const own = [home === '' ? '' : join(home, '.claude'), env['CLAUDE_CONFIG_DIR'] ?? ''].filter((it) => it !== '');
  const project = ['settings.json', 'settings.local.json'].map((it) => join(top, '.claude', it));
  const managed = MANAGED.flatMap((folder) => {
    const parts = join(folder, 'managed-settings.d');
    const names = orNull(() => readdirSync(parts).sort()) ?? [];
    return [join(folder, 'managed-settings.json'), ...names.map((it) => join(parts, it))];
  });
  return [...new Set([...own.map((it) => join(it, 'settings.json')), ...project, ...managed])];
}

/** The text of a file; null if there is none. A file that cannot be read does not exist for the host either. */
function textOf(path: string): string | null {
  return orNull(() => readIfThere(path, MAX_SETTINGS_BYTES))?.toString('utf8') ?? null;
}

function gatesIn(text: string, path: string, tasks: string): string[] {
  const hooks = orNull(() => installedHooks(readSettings(text, path))) ?? [];
  return hooks.flatMap((it) => {
    const { line } = lineOf(it);
    return line?.tasks === tasks ? [line.gate] : [];
  });
}
