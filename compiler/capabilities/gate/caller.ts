import { dirname } from 'node:path';
import type { BoundAgent } from '../../schema/capability/binding.ts';
import type { Disk } from '../paths/disk.ts';
import { below, realPath } from '../paths/real-path.ts';
import type { HookEvent } from '../schema/hook-event.ts';
import { sha256 } from './open-sealed.ts';

/** The folder of bindings and of what the gate remembers. */
export interface Store {
  /** A sealed binding by the sha256 of its worktree's path; null if there is none. @throws if its seal is broken */
  readonly binding: (id: string) => BoundAgent | null;
  /** A small file of state; null if it is not there. */
  readonly read: (kind: 'agents' | 'callers' | 'heirs' | 'starts', name: string) => string | null;
  readonly write: (kind: 'agents' | 'callers' | 'heirs' | 'starts', name: string, text: string) => void;
}

/** The gate's view of the machine that it runs on. */
export interface GateWorld {
  readonly store: Store;
  readonly disk: Disk;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** The folder that holds all worktrees of agents; null if there is none. */
  readonly worktrees: string | null;
}

/** Thrown if the caller cannot be identified, or must not be in its working directory. */
export class CallerRefused extends Error {}

/** The variable in which a spawned process carries its agent's id. */
const AGENT = 'VADE_AGENT_ID';

/**
 * Finds the agent that makes a call: by its working directory, by the ids that the host gives, and by the environment.
 * Those that name an agent must name the same one. A caller that was bound once stays bound, wherever `cd` leads.
 *
 * @returns null for a person's own session
 * @throws CallerRefused
 */
export function findCaller(event: HookEvent, world: GateWorld): BoundAgent | null {
  const { store } = world;
  const name = sha256(`${event.session_id}\0${event.agent_id ?? ''}`);
  const known = store.read('callers', name);
  const ids = [...idsOf(event, world), ...(known === null ? [] : [known])];
  const cwd = idOfFolder(event.cwd, world);
  if (cwd !== null) ids.push(cwd);
  if (ids.length === 0) ids.push(...inherited(event, store));
  const [id, ...others] = [...new Set(ids)];
  if (id === undefined) {
    refuseManaged(event.cwd, world);
    return null;
  }
  if (others.length > 0)
    throw new CallerRefused('the working directory, the ids and the environment name different agents');
  const binding = store.binding(id);
  if (binding === null) throw new CallerRefused('the binding of this agent no longer exists');
  if (sha256(binding.worktree) !== id) throw new CallerRefused('the binding belongs to another worktree');
  if (cwd === null) refuseManaged(event.cwd, world);
  if (known === null) store.write('callers', name, id);
  if (cwd !== null) bindHostId(event, id, store);
  return binding;
}

/** The first call from a worktree binds the id that the host gave the agent, in every later session too. */
function bindHostId({ agent_id }: HookEvent, id: string, store: Store): void {
  if (agent_id === undefined || store.read('agents', sha256(agent_id)) !== null) return;
  store.write('agents', sha256(agent_id), id);
}

/** Notes a call by which a bound agent starts another agent, which inherits its binding. */
export function rememberHeirs(event: HookEvent, binding: BoundAgent, store: Store): void {
  const name = sha256(event.session_id);
  const heirs = linesOf(store.read('heirs', name));
  const id = sha256(binding.worktree);
  if (!heirs.includes(id)) store.write('heirs', name, [...heirs, id].join('\n'));
}

/** Starts of one session that are kept until they get a worktree; beyond this number, the oldest are dropped. */
const MOST_STARTS = 16;

/**
 * Notes the prompt of a call that starts an agent in a worktree of its own: the hook that gives the worktree is only
 * told the session, and finds the agent by this prompt.
 */
export function noteStart({ session_id, tool_input }: HookEvent, store: Pick<Store, 'read' | 'write'>): void {
  const { isolation, prompt } = tool_input;
  if (isolation !== 'worktree' || typeof prompt !== 'string') return;
  const name = sha256(session_id);
  const starts = [...linesOf(store.read('starts', name)), promptKey(prompt)];
  store.write('starts', name, starts.slice(-MOST_STARTS).join('\n'));
}

/** The key of a prompt: a copy may differ in white space, but in no word. */
export function promptKey(prompt: string): string {
  return sha256(prompt.replaceAll(/\s+/g, ' ').trim());
}

/**
 * The ids that a subagent inherits if nothing else names one: those of the bound agents of its session that started any
 * agent.
 */
function inherited({ session_id, agent_id }: HookEvent, store: Store): string[] {
  return agent_id === undefined ? [] : linesOf(store.read('heirs', sha256(session_id)));
}

/** The ids that the payload and the environment name. */
function idsOf({ session_id, agent_id }: HookEvent, { store, env }: GateWorld): string[] {
  const ids: string[] = [];
  const own = agent_id === undefined ? null : store.read('agents', sha256(agent_id));
  if (own !== null) ids.push(own);
  // a subagent of a bound session is bound as the session is
  const main = agent_id === undefined ? null : store.read('callers', sha256(`${session_id}\0`));
  if (main !== null) ids.push(main);
  const named = env[AGENT];
  if (named !== undefined && named !== '') {
    const id = store.read('agents', sha256(named));
    if (id === null) throw new CallerRefused(`${AGENT} names an agent that was not spawned`);
    ids.push(id);
  }
  return ids;
}

/** The binding of a folder, or of the nearest one above it that has one. */
function idOfFolder(cwd: string, { store, disk }: GateWorld): string | null {
  for (let folder = realPath(cwd, disk); ; folder = dirname(folder)) {
    const id = sha256(folder);
    if (store.binding(id) !== null) return id;
    if (folder === dirname(folder)) return null;
  }
}

function refuseManaged(cwd: string, { worktrees, disk }: GateWorld): void {
  if (worktrees === null) return;
  const inside = below(realPath(worktrees, disk), realPath(cwd, disk));
  if (inside !== null) throw new CallerRefused('this directory is for agents, and no agent is bound to it');
}

function linesOf(text: string | null): string[] {
  return (text ?? '').split('\n').filter((it) => it !== '');
}
