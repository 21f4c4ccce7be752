import { join } from 'node:path';
import type { HostEvent } from '../../hosts/host-event.ts';
import { isObject, listOf } from '../../hosts/json-values.ts';
import { readIfThere } from '../../io/files/file.ts';
import { orNull } from '../../schema/or-null.ts';
import { Name } from '../../schema/uri.ts';

/** The definition of a sub-agent has fewer bytes. */
const MOST_BYTES = 256 * 1024;

/**
 * The agent that a sub-agent is (§21.4.5): one that a flag names for it, and only where the sub-agent has a server of
 * its own that answers as this agent. Equal names mean nothing: a branch may bring a sub-agent of any name.
 *
 * @param tree the working tree with the definitions of sub-agents
 * @returns null for the session's own agent
 */
export async function ownAgent(
  { subagent }: { readonly subagent: readonly string[] },
  { subagent: id, subagentType: type }: HostEvent,
  tree: string,
): Promise<string | null> {
  const agent = subagent.find((it) => it.startsWith(`${type}=`))?.slice(type.length + 1);
  if (id === '' || agent === undefined || !Name.safeParse(type).success) return null;
  const text = orNull(() =>
    readIfThere(join(tree, '.claude/agents', `${type}.md`), MOST_BYTES, 'refuse')?.toString('utf8'),
  );
  const [, header = ''] = /^---\r?\n([^]*?)\r?\n---/.exec(text ?? '') ?? [];
  const { parse } = await import('yaml');
  const servers = [orNull((): unknown => parse(header))].flatMap((it) => (isObject(it) ? it['mcpServers'] : []));
  return serversIn(servers).some((it) => answersAs(it, agent)) ? agent : null;
}

/** Servers of a definition: by name, or a list of names and of such maps. A name alone is a server of the session. */
function serversIn(value: readonly unknown[]): unknown[] {
  return value.flatMap((it) => [it, ...listOf(it)]).flatMap((it) => (isObject(it) ? Object.values(it) : []));
}

function answersAs(server: unknown, agent: string): boolean {
  const args = isObject(server) ? listOf(server['args']) : [];
  return args[0] === 'mcp' && args.some((it, i) => it === '--agent' && args[i + 1] === agent);
}
