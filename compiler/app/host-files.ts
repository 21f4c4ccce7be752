const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

/** The server that Claude Code starts in this folder: it answers from the bundle that `vade compile --dev` writes. */
const MCP = (agent: string) => ({
  mcpServers: { vademecum: { command: 'vade', args: ['mcp', '--dev', '--agent', agent] } },
});

/** Its plain output becomes context of the session; the hook may start in a folder below the project. */
const STUB = (agent: string) =>
  `cd "$CLAUDE_PROJECT_DIR" && vade stub --dev --agent ${agent} --profile generic --format text`;

/**
 * Gives the boot stub at the start of a session, and again whenever its context was dropped: after a compaction too,
 * since a hook that runs before one (PreCompact) adds nothing to the context.
 */
const HOOKS = (agent: string) => ({
  hooks: {
    SessionStart: [
      { matcher: 'startup|resume|clear|compact', hooks: [{ type: 'command', command: STUB(agent), timeout: 30 }] },
    ],
  },
});

/** The files by which Claude Code connects to an agent, by path. */
export function hostFiles(agent: string): ReadonlyMap<string, string> {
  return new Map([
    ['.mcp.json', json(MCP(agent))],
    ['.claude/settings.json', json(HOOKS(agent))],
  ]);
}
