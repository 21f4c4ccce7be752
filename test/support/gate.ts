import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { answerEvent, type Explained } from '../../compiler/capabilities/gate/answer-event.ts';
import type { Store, GateWorld } from '../../compiler/capabilities/gate/caller.ts';
import { sha256 } from '../../compiler/capabilities/gate/open-sealed.ts';
import { realDisk } from '../../compiler/capabilities/paths/disk.ts';
import type { Binding } from '../../compiler/schema/capability/binding.ts';
import type { ResolvedGate } from '../../compiler/schema/capability/resolved-role.ts';
import { tempFolder } from './folder.ts';

/** One atom as a resolved role carries it. */
export function gateEntry(atom: string, event: string, more: Partial<ResolvedGate> = {}): ResolvedGate {
  const module = `gates::${atom.replace('::', '_').replaceAll('-', '_')}`;
  const rest = {
    severity: 'block' as const,
    bypass_env: null,
    relaxable: false,
    parameters: [],
    patterns: [],
    paths: [],
    tools_denied: [],
  };
  return { atom, module, event, ...rest, ...more };
}

/** The role that the tables of commands are judged under: git and scope atoms, no allow-list of commands. */
export const EDITING_GATES = [
  gateEntry('policy::no-git-ops', 'PreToolUse:Bash', { patterns: ['^git( |$)', '^gh (repo|api /repos)'] }),
  gateEntry('scope::files-whitelist', 'PreToolUse:Edit|Write', { parameters: ['files-whitelist', 'ssot-patterns'] }),
  gateEntry('scope::files-denylist', 'PreToolUse:Edit|Write', { parameters: ['files-denylist'] }),
];

/** A binding of a worktree; `role` and others can be given. */
export function bindingOf(worktree: string, more: Partial<Binding> = {}): Binding {
  return {
    format: 1,
    worktree,
    agent_id: 'agent-1',
    parent: null,
    task: 'task-1',
    role: {
      format: 1,
      role: 'edit-local',
      extends: [],
      spawnable: true,
      fragments: [],
      gates: EDITING_GATES,
      tools: { allowed: [], denied: [] },
      shell: { allowed: [] },
      checks: [],
      accepts: [],
      escalation: 'ask-via-return',
    },
    consent: { authors: ['acme/human/ann'], proven: true, approvals: [] },
    parameters: {
      'files-whitelist': ['src/**', 'test/**', 'docs/**', 'scripts/**', 'README.md'],
      'files-denylist': ['.github/**', 'package-lock.json'],
    },
    spawns: [],
    bundle_revision: '1-abc',
    ...more,
  };
}

/** A role like that of the tables, with other gates or lists. */
export function roleWith(more: Partial<Binding['role']>): Binding['role'] {
  return { ...bindingOf('/w').role, ...more };
}

/** A store in memory. */
function memoryStore(bindings: readonly Binding[]): Store & { readonly state: Map<string, string> } {
  const state = new Map(bindings.map((it) => [`agents/${sha256(it.agent_id)}`, sha256(it.worktree)]));
  return {
    state,
    binding: (id) => bindings.find((it) => sha256(it.worktree) === id) ?? null,
    read: (kind, name) => state.get(`${kind}/${name}`) ?? null,
    write: (kind, name, text) => void state.set(`${kind}/${name}`, text),
  };
}

/** A worktree on the disk with a bound agent, and a way to ask the gate about its calls. */
export function gateOn(more: (worktree: string) => Partial<Binding> = () => ({}), env: GateWorld['env'] = {}) {
  const root = tempFolder();
  const worktree = join(root, 'trees', 'one');
  const home = join(root, 'home');
  for (const it of [join(worktree, 'src'), join(worktree, 'docs'), home, join(root, 'vade')]) {
    mkdirSync(it, { recursive: true });
  }
  writeFileSync(join(worktree, 'src/main.ts'), '');
  const binding = bindingOf(worktree, more(worktree));
  const store = memoryStore([binding]);
  const world: GateWorld = { store, disk: realDisk, env, home, worktrees: join(root, 'trees') };
  const own = { folder: join(root, 'vade'), gate: join(root, 'bin', 'vade-gate.cjs'), settings: null };
  const ask = (tool: string, input: Record<string, unknown>, event: Record<string, unknown> = {}): Explained => {
    const base = { hook_event_name: 'PreToolUse', session_id: 's1', cwd: worktree, tool_name: tool, tool_input: input };
    return answerEvent(JSON.stringify({ ...base, ...event }), world, own);
  };
  const bash = (command: string) => ask('Bash', { command });
  return { root, worktree, home, binding, store, world, own, ask, bash };
}

/** Commands with the verdict that they must get. */
export interface VerdictGroup {
  readonly verdict: 'allow' | 'deny';
  readonly why: string;
  readonly commands: readonly string[];
}

export function readVerdicts(file: string): readonly VerdictGroup[] {
  return parse(readFileSync(file, 'utf8')) as VerdictGroup[];
}

export function readCommands(file: string): readonly string[] {
  return parse(readFileSync(file, 'utf8')) as string[];
}
