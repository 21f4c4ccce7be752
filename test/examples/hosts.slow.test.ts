import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { beforeAll, describe, expect, test } from 'vitest';
import { capsuleOf } from '../continuity/capsules.ts';
import { examplesOf } from '../documents/markdown.ts';
import { compiledPeers } from '../server/deployment.ts';
import { pagesIn, textIn, tokenIn } from '../server/mcp/asking.ts';
import { running } from '../server/running.ts';
import { vade } from '../support/cli.ts';
import { tempFolder } from '../support/folder.ts';
import { repository } from '../support/repository.ts';
import { vadeOnPath } from '../support/vade-on-path.ts';

interface StdioServer {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
}

interface HttpServer {
  readonly type: string;
  readonly url: string;
  readonly headers: Record<string, string>;
}

interface Hook {
  readonly type: string;
  readonly command: string;
}

let handbook: string;
const env = { PATH: vadeOnPath() };

/** A handbook as `vade init` makes it, committed and compiled. */
beforeAll(async () => {
  const repo = repository();
  handbook = repo.path;
  await vade(['init', '--dir', '.', '--deployment', 'handbook', '--no-admin'], handbook);
  repo.commit('Start the handbook');
  expect((await vade(['compile', '--dev'], handbook)).code).toBe(0);
});

/** A file of a host, as the page shows it, with the values of its variables. */
function shown(file: string, values: Readonly<Record<string, string>> = {}): unknown {
  const block = examplesOf('examples/README.md', ['json']).find(({ marker }) => marker === `host: ${file}`);
  return JSON.parse(block?.text ?? '', (_key, value: unknown) =>
    typeof value === 'string' ? value.replace(/\$\{(\w+)\}/g, (_, name: string) => values[name] ?? '') : value,
  );
}

/** The only server of a file of MCP servers. */
function serverIn(file: unknown): unknown {
  const { mcpServers, servers } = file as Record<'mcpServers' | 'servers', object | undefined>;
  return Object.values(mcpServers ?? servers ?? {})[0];
}

/** Recalls and closes, as a host's model does; returns the names of the units. */
async function recallAndClose(transport: Transport, intent: string): Promise<string[]> {
  const client = new Client({ name: 'host', version: '1' });
  await client.connect(transport);
  try {
    const recalled = await client.callTool({ name: 'recall_instruction', arguments: { intent } });
    const used_chunks = pagesIn(textIn(recalled));
    // only over HTTP an answer has its token
    const audit_token = tokenIn(textIn(recalled));
    const closing = { used_chunks, ...(audit_token !== '' && { audit_token }) };
    const closed = await client.callTool({ name: 'close_recall', arguments: closing });
    expect([closed.isError ?? false, textIn(closed)]).toEqual([false, expect.stringContaining('Closed')]);
    return used_chunks;
  } finally {
    await client.close();
  }
}

/** A server that a host starts from `cwd`, unless its file says where. */
function started({ command, args, cwd: said }: StdioServer, cwd: string): Transport {
  return new StdioClientTransport({ command, args: [...args], env, cwd: said ?? cwd, stderr: 'ignore' });
}

describe('what vade init writes for Claude Code', () => {
  const written = (file: string): unknown => JSON.parse(readFileSync(join(handbook, file), 'utf8'));

  test('vade init writes the .mcp.json of the page', () => {
    expect(written('.mcp.json')).toEqual(shown('.mcp.json'));
  });

  test('Claude Code recalls and closes through the server of its .mcp.json', async () => {
    const server = serverIn(written('.mcp.json')) as StdioServer;
    expect(await recallAndClose(started(server, handbook), 'I am done for now')).toContain('wrap-up');
  });

  test.each(['startup', 'resume', 'clear', 'compact'])(
    'the hook gives the boot stub to a session that begins by %s, from any folder',
    (source) => {
      const { hooks } = written('.claude/settings.json') as {
        hooks: Record<string, { matcher: string; hooks: Hook[] }[]>;
      };
      const matching = (hooks['SessionStart'] ?? []).filter(({ matcher }) => matcher.split('|').includes(source));
      expect(matching.flatMap((it) => it.hooks.map(({ type }) => type))).toEqual(['command']);
      const below = join(handbook, 'instructions');
      const ran = spawnSync('sh', ['-c', matching[0]?.hooks[0]?.command ?? ''], {
        cwd: below,
        env: { ...env, CLAUDE_PROJECT_DIR: handbook },
        input: JSON.stringify({ hook_event_name: 'SessionStart', source }),
        encoding: 'utf8',
      });
      expect([ran.status, ran.stderr]).toEqual([0, '']);
      expect(ran.stdout).toContain('recall_instruction');
    },
  );
});

describe('what vade init --continuity writes for Claude Code', () => {
  test(
    'what an agent keeps in one session is given to the next one, beside its stub',
    { timeout: 60_000 },
    async () => {
      const repo = repository();
      await vade(['init', '--dir', '.', '--deployment', 'handbook', '--no-admin', '--continuity'], repo.path);
      repo.commit('Start the handbook');
      expect((await vade(['compile', '--dev'], repo.path)).code).toBe(0);
      const written = (file: string): unknown => JSON.parse(readFileSync(join(repo.path, file), 'utf8'));
      const client = new Client({ name: 'host', version: '1' });
      await client.connect(started(serverIn(written('.mcp.json')) as StdioServer, repo.path));
      const now = new Date().toISOString().replace(/\.\d+Z/, 'Z');
      const capsule = capsuleOf({ subject_id: 'letter', updated_at: now, verified_at: now });
      const body = { subject_kind: 'thread', subject_id: 'letter', capsule };
      const kept = await client.callTool({ name: 'upsert_capsule', arguments: body });
      await client.close();
      expect(JSON.parse(textIn(kept))).toMatchObject({ created: true });
      const historyOf = () => {
        const capsules = join(repo.path, '.vade/capsules');
        const stores = readdirSync(capsules).filter((name) => name.endsWith('.git'));
        const logOf = (name: string) =>
          execFileSync('git', ['--git-dir', join(capsules, name), 'log', '--format=%H %s', '--all'], {
            encoding: 'utf8',
          });
        return stores.map(logOf);
      };
      const before = historyOf();
      expect(before.join('')).toContain('upsert thread letter');
      const { hooks } = written('.claude/settings.json') as { hooks: Record<string, { hooks: Hook[] }[]> };
      const { command = '' } = hooks['SessionStart']?.[0]?.hooks[0] ?? {};
      const options = { cwd: repo.path, env: { ...env, CLAUDE_PROJECT_DIR: repo.path }, encoding: 'utf8' } as const;
      const input = JSON.stringify({ hook_event_name: 'SessionStart', source: 'startup' });
      const { status, stdout, stderr } = spawnSync('sh', ['-c', command], { ...options, input });
      expect([status, stderr]).toEqual([0, '']);
      expect(stdout).toContain('`read_capsule`');
      expect(stdout).toContain('thread letter');
      // a hook reads; only the agent writes
      expect(historyOf()).toEqual(before);
      expect(JSON.stringify(hooks)).not.toMatch(/upsert|PreCompact|SessionEnd/);
    },
  );
});

describe('what the page shows for other hosts', () => {
  test.each(['.cursor/mcp.json', '.vscode/mcp.json'])(
    'a host recalls and closes through the server of its %s, wherever it starts it',
    async (file) => {
      const elsewhere = join(tempFolder(), 'elsewhere');
      mkdirSync(elsewhere);
      const server = serverIn(shown(file, { workspaceFolder: handbook })) as StdioServer;
      expect(await recallAndClose(started(server, elsewhere), 'I am done for now')).toContain('wrap-up');
    },
  );

  test('hosts that are started in two other projects recall at once through the handbook that their .mcp.json names', async () => {
    const signed = ['--trust', 'instructions/trust/1.json', '--key', '.vade/signing-key.pem'];
    expect((await vade(['compile', ...signed], handbook)).code).toBe(0);
    const server = serverIn(shown('.mcp.json of a project elsewhere', { HANDBOOK: handbook })) as StdioServer;
    const recalls = [1, 2].map(() => recallAndClose(started(server, tempFolder()), 'I am done for now'));
    for (const names of await Promise.all(recalls)) expect(names).toContain('wrap-up');
  });

  test('a host elsewhere recalls and closes over HTTP', async () => {
    const { url: VADE_URL, keys } = await running(await compiledPeers());
    const file = shown('.mcp.json over HTTP', { VADE_URL, VADE_KEY: keys.cto });
    const { type, url, headers } = serverIn(file) as HttpServer;
    expect(type).toBe('http');
    const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
    expect(await recallAndClose(transport, 'hand over')).toContain('wrap-up');
  });
});
