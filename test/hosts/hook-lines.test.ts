import { describe, expect, test } from 'vitest';
import { withCodexServer, withHookLines, withServer } from '../../compiler/hosts/hook-lines.ts';
import { HOST_TABLE, HOSTS } from '../../compiler/hosts/hosts.ts';

const SESSION = { agent: 'cto', bundle: null, trust: null, capsules: null, subagents: [] };
const linesOf = (settings: object) => JSON.stringify(settings);

describe('The hooks of a host', () => {
  test.each(HOSTS)('in settings of %s stand once, however often they are written', (host) => {
    const once = withHookLines({}, host, SESSION, 'file');
    expect(withHookLines(once, host, SESSION, 'file')).toEqual(once);
    expect(Object.keys(once['hooks'] as object)).toEqual(HOST_TABLE[host].events.map(({ event }) => event));
  });

  test('stand beside the hooks and settings of others, which stay in their order', () => {
    const others = {
      model: 'opus',
      hooks: {
        Stop: [{ hooks: [{ type: 'command', command: 'say done' }] }],
        PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'vade-gate' }] }],
      },
    };
    const merged = withHookLines(others, 'claude-code', SESSION, 'file');
    expect(merged).toMatchObject({ model: 'opus', hooks: { Stop: others.hooks.Stop } });
    const [first] = (merged['hooks'] as Record<string, unknown[]>)['PreToolUse'] ?? [];
    expect(first).toEqual(others.hooks.PreToolUse[0]);
  });

  test('of another agent are replaced', () => {
    const before = withHookLines({}, 'codex', { ...SESSION, agent: 'ceo' }, 'file');
    const after = withHookLines(before, 'codex', SESSION, 'file');
    expect([linesOf(after).includes('--agent ceo'), linesOf(after).includes('--agent cto')]).toEqual([false, true]);
  });

  test('end with 0 without vade, and only the one at a start says that it is missing', () => {
    const { hooks } = withHookLines({}, 'claude-code', SESSION, 'file') as { hooks: Record<string, object[]> };
    const says = Object.entries(hooks).map(([event, entries]) => [event, linesOf(entries).includes('not installed')]);
    expect(says.filter(([, it]) => it)).toEqual([['SessionStart', true]]);
    expect(linesOf(hooks).match(/\|\| :; else/g)).toHaveLength(HOST_TABLE['claude-code'].events.length);
  });

  test('quote words that a shell would take apart', () => {
    const hostile = { ...SESSION, trust: "/a b/it's; rm -rf x" };
    expect(linesOf(withHookLines({}, 'claude-code', hostile, 'f'))).toContain(`--trust '/a b/it'\\\\''s; rm -rf x'`);
  });

  test('of another shape are refused, and nothing is lost', () => {
    const refused = expect.objectContaining({ code: 'argument_invalid' }) as Error;
    for (const hooks of [[], { SessionStart: { command: 'mine' } }])
      expect(() => withHookLines({ hooks }, 'claude-code', SESSION, 'f')).toThrow(refused);
  });
});

describe('The server of a host', () => {
  test('stands beside the servers of others', () => {
    const merged = withServer({ mcpServers: { other: { command: 'x' } } }, 'gemini-cli', SESSION, 'f');
    expect(merged['mcpServers']).toMatchObject({ other: { command: 'x' }, vademecum: { command: 'vade' } });
  });

  test('in settings of Codex keeps the comments around it, and stands once', () => {
    const once = withCodexServer('# mine\nmodel = "x"\n', SESSION);
    expect(once.startsWith('# mine\nmodel = "x"\n\n[mcp_servers.vademecum]\n')).toBe(true);
    expect(withCodexServer(once, SESSION)).toBe(once);
  });
});
