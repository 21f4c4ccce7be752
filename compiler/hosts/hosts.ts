/** Hosts whose hooks `vade init` writes. Copilot reads the files of Claude Code. */
export const HOSTS = ['claude-code', 'codex', 'gemini-cli', 'cursor'] as const;
export type HostName = (typeof HOSTS)[number];

/** Kinds of events: a prompt, a file that a tool reads or writes, a start of a session, and of a sub-agent. */
export type EventKind = 'prompt' | 'file' | 'start' | 'subagent';

/** An event of a host for which a hook is written. */
export interface HookedEvent {
  /** The host's name of it. */
  readonly event: string;
  readonly kind: EventKind;
  /** The host's pattern of tools, or of sources of a start; absent for all. */
  readonly matcher?: string;
}

/** The hooks and MCP servers of a host; `compiler/hosts/README.md` says how each is known. */
export interface KnownHost {
  /** Its file of hooks, in a project. */
  readonly hooks: string;
  /** Whether that file has groups of hooks with one matcher, or a list of hooks. */
  readonly form: 'groups' | 'list';
  readonly events: readonly HookedEvent[];
  /** Ten seconds in its unit. */
  readonly timeout: number;
  /** Its file of MCP servers, in a project. */
  readonly servers: string;
  /** Files of rules that it gives to its model by itself. */
  readonly loads: RegExp;
  /** The folder whose skills its model starts by name, and what its MCP client calls itself; others read the files. */
  readonly skills?: { readonly folder: string; readonly client: string };
}

/** The events of Claude Code, which Codex shares. @param tools those that are about a file */
const claudeEvents = (tools: string): readonly HookedEvent[] => [
  { event: 'SessionStart', kind: 'start', matcher: 'startup|resume|clear|compact' },
  { event: 'UserPromptSubmit', kind: 'prompt' },
  { event: 'PreToolUse', kind: 'file', matcher: tools },
  { event: 'SubagentStart', kind: 'subagent' },
];

export const HOST_TABLE: Readonly<Record<HostName, KnownHost>> = {
  'claude-code': {
    hooks: '.claude/settings.json',
    form: 'groups',
    events: claudeEvents('Read|Edit|Write|NotebookEdit'),
    timeout: 10,
    servers: '.mcp.json',
    loads: /(^|\/)CLAUDE(\.local)?\.md$|^\.claude\/rules\//,
    skills: { folder: '.claude/skills', client: 'claude-code' },
  },
  codex: {
    hooks: '.codex/hooks.json',
    form: 'groups',
    events: claudeEvents('Bash|apply_patch'),
    timeout: 10,
    servers: '.codex/config.toml',
    loads: /(^|\/)AGENTS(\.override)?\.md$/,
  },
  'gemini-cli': {
    hooks: '.gemini/settings.json',
    form: 'groups',
    // a context before a tool is not read, and a sub-agent has no event
    events: [
      { event: 'SessionStart', kind: 'start' },
      { event: 'BeforeAgent', kind: 'prompt' },
      { event: 'AfterTool', kind: 'file', matcher: '^(read_file|write_file|replace)$' },
    ],
    timeout: 10_000,
    servers: '.gemini/settings.json',
    loads: /(^|\/)GEMINI\.md$/,
  },
  cursor: {
    hooks: '.cursor/hooks.json',
    form: 'list',
    // of the others its sources contradict each other
    events: [{ event: 'sessionStart', kind: 'start' }],
    timeout: 10,
    servers: '.cursor/mcp.json',
    loads: /^AGENTS\.md$|^\.cursor\/rules\//,
  },
};

/** The folder whose skills a host starts by name, by what its MCP client calls itself; untrusted. */
export function skillsListedBy(client: string | undefined): string | undefined {
  return Object.values(HOST_TABLE).find(({ skills }) => skills !== undefined && skills.client === client)?.skills
    ?.folder;
}

/** Kinds of events by the names that hosts have for them. */
export const KINDS: ReadonlyMap<string, EventKind> = new Map(
  Object.values(HOST_TABLE).flatMap(({ events }) => events.map(({ event, kind }) => [event, kind] as const)),
);

/** Tools that read or write one file, as the hosts name them. */
export const FILE_TOOLS: ReadonlySet<string> = new Set([
  ...['Read', 'Edit', 'Write', 'NotebookEdit'],
  ...['read_file', 'write_file', 'replace'],
]);

/** Arguments of these tools that have the file's path. */
export const PATH_ARGUMENTS = ['file_path', 'notebook_path', 'path'] as const;
