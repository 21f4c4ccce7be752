import type { CacheHint, McpServer } from '@modelcontextprotocol/server';
import { skillEntry, SkillsExtension, type SkillSource } from '@modelcontextprotocol/server/ext/skills';
import type { ListedUnit, Units } from '../../compiler/schema/api/units.ts';
import type { AgentCaller } from '../operations/tables/agent-caller.ts';
import { read } from './resources.ts';

/** Every answer is of one agent; a new bundle is in force within seconds, so nobody keeps one longer than a minute. */
export const PRIVATE: CacheHint = { cacheScope: 'private', ttlMs: 60_000 };

const BASE = 'skill://';
const FILE = 'SKILL.md';

/** The extension allows single hyphens between letters and digits; a unit of another name (`a--b`) is no skill. */
const SKILL_NAME = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** Serves the agent's units as skills: one file each, with its SHA-256 and size (io.modelcontextprotocol/skills). */
export function attachSkills(server: McpServer, caller: AgentCaller): void {
  new SkillsExtension({ source: sourceOf(caller), baseUri: BASE, cacheHint: PRIVATE }).attach(server);
}

function sourceOf(caller: AgentCaller): SkillSource {
  const find = async (uri: string): Promise<ListedUnit | undefined> => {
    const name = nameIn(uri);
    return name === null ? undefined : (await listUnits(caller, { name })).units[0];
  };
  return {
    list: async ({ cursor }) => {
      const { units, next } = await listUnits(caller, cursor === undefined ? {} : { after: cursor });
      const skills = await Promise.all(units.filter(({ name }) => SKILL_NAME.test(name)).map(entryOf));
      return { skills, ...(next !== null && { nextCursor: next }) };
    },
    get: async (uri) => {
      const unit = await find(uri);
      return unit && entryOf(unit);
    },
    read: async (uri) => {
      const unit = await find(uri);
      return unit && { text: textOf(unit), mimeType: 'text/markdown' };
    },
  };
}

async function listUnits(caller: AgentCaller, query: Readonly<Record<string, string>>): Promise<Units> {
  return (await read(caller, 'listUnits', { query: { content: 'true', ...query } })) as Units;
}

const entryOf = (unit: ListedUnit) => skillEntry(unit.name, { [FILE]: textOf(unit) }, { baseUri: BASE });

/** A skill's file: front matter, then the unit. Values are quoted, since a name can be `null` or `123`. */
function textOf({ name, description, content = '' }: ListedUnit): string {
  return `---\nname: ${JSON.stringify(name)}\ndescription: ${JSON.stringify(description)}\n---\n\n${content}`;
}

/** Untrusted: a URI from a client. */
function nameIn(uri: string): string | null {
  const name = /^skill:\/\/([a-z0-9-]{1,64})\/SKILL\.md$/.exec(uri)?.[1] ?? '';
  return SKILL_NAME.test(name) ? name : null;
}
