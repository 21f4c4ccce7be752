const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

/** Folder of the capsules of this folder; `.vade` is git-ignored. */
const CAPSULES = '.vade/capsules';

/** An agent as its host knows it. */
interface Hosted {
  readonly agent: string;
  /** Whether the host gives the agent its capsules back. */
  readonly keepsCapsules: boolean;
}

/** The server that Claude Code starts in this folder: it answers from the bundle that `vade compile --dev` writes. */
const MCP = ({ agent, keepsCapsules }: Hosted) => ({
  mcpServers: {
    vademecum: {
      command: 'vade',
      args: ['mcp', '--dev', '--agent', agent, ...(keepsCapsules ? ['--continuity', CAPSULES] : [])],
    },
  },
});

/** Its plain output becomes context of the session; the hook may start in a folder below the project. */
const STUB = (agent: string) =>
  `cd "$CLAUDE_PROJECT_DIR" && vade stub --dev --agent ${agent} --profile generic --format text`;

/** The startup view, beside the stub: texts that an agent wrote do not belong to its instructions. */
const STARTUP = (agent: string) =>
  `cd "$CLAUDE_PROJECT_DIR" && vade continuity startup --continuity ${CAPSULES} --dev --agent ${agent} --format text`;

/**
 * Gives the boot stub at the start of a session, and again whenever its context was dropped: after a compaction too,
 * since a hook that runs before one (PreCompact) adds nothing to the context. Nor does one write a capsule: only the
 * agent knows what matters to it.
 */
const HOOKS = ({ agent, keepsCapsules }: Hosted) => ({
  hooks: {
    SessionStart: [
      {
        matcher: 'startup|resume|clear|compact',
        hooks: [STUB(agent), ...(keepsCapsules ? [STARTUP(agent)] : [])].map((command) => ({
          type: 'command',
          command,
          timeout: 30,
        })),
      },
    ],
  },
});

/** The files by which Claude Code connects to an agent, by path. */
export function hostFiles(hosted: Hosted): ReadonlyMap<string, string> {
  return new Map([
    ['.mcp.json', json(MCP(hosted))],
    ['.claude/settings.json', json(HOOKS(hosted))],
  ]);
}
