import { shellWord, typedWord } from '../schema/shell-word.ts';
import { HOST_TABLE, type HookedEvent, type HostName } from './hosts.ts';
import { isObject, listOf, type Json } from './json-values.ts';
import { settingsRefused } from './settings-text.ts';

/** A session of a host as it is connected to an agent. */
export interface HostSession {
  readonly agent: string;
  /** The folder of the bundle; null for the project's own. */
  readonly bundle: string | null;
  /** The trust root; null for that of development. */
  readonly trust: string | null;
  /** The folder of the capsules that the agent gets back; null where none are kept. */
  readonly capsules: string | null;
  /** `<sub-agent>=<agent>` of sub-agents that are agents of their own. */
  readonly subagents: readonly string[];
}

const sourceFlags = ({ bundle, trust }: HostSession): readonly string[] => [
  ...(bundle === null ? [] : ['--bundle', bundle]),
  ...(trust === null ? ['--dev'] : ['--trust', trust]),
];

/** Said at a start where vade is not on PATH; without it an agent works without its instructions, and nobody knows. */
const MISSING = 'Vademecum is not installed here (no vade on PATH), so no instructions came. Tell the user.';

/** Begins every command of a hook that is ours. */
const OURS = 'if command -v vade >/dev/null; then vade hook ';

/** The command line of a hook: whatever happens, it ends with 0, since a host may take another end as a refusal. */
function commandOf(host: HostName, kind: HookedEvent['kind'], session: HostSession): string {
  const { agent, capsules, subagents } = session;
  const flags = [
    ...[...sourceFlags(session), '--agent', agent],
    ...(host === 'claude-code' ? [] : ['--host', host]),
    ...(kind === 'start' && capsules !== null ? ['--continuity', capsules] : []),
    ...(kind === 'subagent' || kind === 'file' ? subagents.flatMap((it) => ['--subagent', it]) : []),
  ].map(typedWord);
  const missing = kind === 'start' ? `echo ${shellWord(MISSING)}` : ':';
  return `${OURS}${flags.join(' ')} || :; else ${missing}; fi`;
}

/**
 * The settings of a host with its hooks for a session, in place of earlier ones of ours; all else stays.
 *
 * @param name of the file, for people
 * @throws argument_invalid for hooks of another shape
 */
export function withHookLines(settings: Json, host: HostName, session: HostSession, name: string): Json {
  const { form, events, timeout } = HOST_TABLE[host];
  const all = settings['hooks'] ?? {};
  if (!isObject(all)) throw settingsRefused(name, 'has hooks of another shape than {event: [hooks]}');
  const hooks = Object.entries(all).map(
    ([event, entries]) => [event, Array.isArray(entries) ? withoutHooks(entries, isOurs) : entries] as const,
  );
  const merged = new Map(hooks.filter(([, entries]) => !Array.isArray(entries) || entries.length > 0));
  for (const { event, kind, matcher } of events) {
    const hook = { command: commandOf(host, kind, session), timeout };
    const own =
      form === 'list' ? hook : { ...(matcher !== undefined && { matcher }), hooks: [{ type: 'command', ...hook }] };
    const others = merged.get(event) ?? [];
    if (!Array.isArray(others)) throw settingsRefused(name, `has hooks of another shape than ${event}: [hooks]`);
    merged.set(event, [...(others as unknown[]), own]);
  }
  return { ...(form === 'list' && { version: 1 }), ...settings, hooks: Object.fromEntries(merged) };
}

/** The entries of an event without some hooks, and without what is empty then. */
export function withoutHooks<T>(entries: readonly T[], isMeant: (hook: unknown) => boolean): T[] {
  return entries.flatMap((entry) => {
    if (!isObject(entry)) return [entry];
    if (isMeant(entry)) return [];
    const hooks = listOf(entry['hooks']);
    const left = hooks.filter((it) => !isMeant(it));
    if (left.length === hooks.length) return [entry];
    return left.length === 0 ? [] : [{ ...entry, hooks: left }];
  });
}

const isOurs = (hook: unknown): boolean =>
  isObject(hook) && typeof hook['command'] === 'string' && hook['command'].startsWith(OURS);

/** The words of the command by which a host starts the server of a session. */
function serverCommand(session: HostSession): readonly string[] {
  const { agent, capsules } = session;
  const kept = capsules === null ? [] : ['--continuity', capsules];
  return ['vade', 'mcp', ...sourceFlags(session), '--agent', agent, ...kept];
}

/** A host's settings with the server of a session; all else stays. @throws argument_invalid */
export function withServer(settings: Json, host: HostName, session: HostSession, name: string): Json {
  const servers = settings['mcpServers'] ?? {};
  if (!isObject(servers)) throw settingsRefused(name, 'has mcpServers of another shape than {name: server}');
  const words = serverCommand(session);
  // Cursor does not say in which folder it starts a command
  const inFolder = ['sh', '-c', `cd "$0" && exec ${words.map(typedWord).join(' ')}`, '${workspaceFolder}'];
  const [command, ...args] = host === 'cursor' ? inFolder : words;
  return { ...settings, mcpServers: { ...servers, vademecum: { command, args } } };
}

/**
 * Codex's settings with the server of a session, as text: what stands there keeps its comments.
 *
 * @returns the text as it is where it has a server of this name
 */
export function withCodexServer(text: string, session: HostSession): string {
  if (/^\[mcp_servers\.(vademecum|"vademecum")\]/m.test(text)) return text;
  const [command, ...args] = serverCommand(session);
  const own = `[mcp_servers.vademecum]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n`;
  return text === '' ? own : `${text.trimEnd()}\n\n${own}`;
}
