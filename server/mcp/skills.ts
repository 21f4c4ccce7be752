import { isUtf8 } from 'node:buffer';
import type { CacheHint, McpServer } from '@modelcontextprotocol/server';
import { skillEntry, SkillsExtension, type Skill, type SkillSource } from '@modelcontextprotocol/server/ext/skills';
import type { ListedUnit, Units } from '../../compiler/schema/api/units.ts';
import { orNull } from '../../compiler/schema/or-null.ts';
import type { AgentCaller } from '../operations/tables/agent-caller.ts';
import { read } from './resources.ts';

/** Every answer is of one agent; a new bundle is in force within seconds, so nobody keeps one longer than a minute. */
export const PRIVATE: CacheHint = { cacheScope: 'private', ttlMs: 60_000 };

const BASE = 'skill://';
const FILE = 'SKILL.md';
const BYTES = 'application/octet-stream';

/** The extension allows single hyphens between letters and digits; a unit of another name (`a--b`) is no skill. */
const SKILL_NAME = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/**
 * Serves the agent's units as skills (io.modelcontextprotocol/skills): their files, each with SHA-256 and size. A skill
 * in place has the files of its folder, any other unit its text alone.
 */
export function attachSkills(server: McpServer, caller: AgentCaller): void {
  new SkillsExtension({ source: sourceOf(caller), baseUri: BASE, cacheHint: PRIVATE }).attach(server);
}

function sourceOf(caller: AgentCaller): SkillSource {
  const find = async (name: string): Promise<ListedUnit | undefined> =>
    SKILL_NAME.test(name) ? (await listUnits(caller, { name })).units[0] : undefined;
  return {
    list: async ({ cursor }) => {
      const { units, next } = await listUnits(caller, cursor === undefined ? {} : { after: cursor });
      const skills = await Promise.all(units.filter(({ name }) => SKILL_NAME.test(name)).map(entryOf));
      return { skills, ...(next !== null && { nextCursor: next }) };
    },
    get: async (uri) => {
      const { name, path } = partsOf(uri);
      const unit = path === FILE ? await find(name) : undefined;
      return unit && entryOf(unit);
    },
    read: async (uri) => {
      const { name, path } = partsOf(uri);
      const unit = await find(name);
      if (unit === undefined || path === FILE) return unit && { text: textOf(unit), mimeType: 'text/markdown' };
      if (!filesOf(unit).some((it) => it.path === path)) return undefined;
      const sent = await read(caller, 'getSkillFile', { path: { unit: name, file_path: path } });
      const bytes = Buffer.from(String(sent), 'base64');
      // a model reads text; bytes come to it in base64
      return isUtf8(bytes) ? { text: bytes.toString('utf8'), mimeType: 'text/plain' } : { bytes, mimeType: BYTES };
    },
  };
}

async function listUnits(caller: AgentCaller, query: Readonly<Record<string, string>>): Promise<Units> {
  return (await read(caller, 'listUnits', { query: { content: 'true', ...query } })) as Units;
}

async function entryOf(unit: ListedUnit): Promise<Skill> {
  const entry = await skillEntry(unit.name, { [FILE]: textOf(unit) }, { baseUri: BASE });
  const files = filesOf(unit).map(({ path, bytes, digest }) => ({
    uri: `${BASE}${unit.name}/${path.split('/').map(encodeURIComponent).join('/')}`,
    digest: `sha256:${digest}`,
    size: bytes,
  }));
  return Array.isArray(entry.resources) ? { ...entry, resources: [...entry.resources, ...files] } : entry;
}

/** The files of which the bundle has the bytes. */
const filesOf = ({ skill }: ListedUnit) => skill?.files.filter(({ digest }) => digest !== undefined) ?? [];

/** A skill's file: front matter, then the unit. Values are quoted, since a name can be `null` or `123`. */
function textOf({ name, description, content = '', skill }: ListedUnit): string {
  const about = JSON.stringify(skill?.description ?? description);
  return `---\nname: ${JSON.stringify(name)}\ndescription: ${about}\n---\n\n${content}`;
}

/** The name of a skill and the path of its file; both empty for another URI. Untrusted: a client has sent it. */
function partsOf(uri: string): { readonly name: string; readonly path: string } {
  const [, name = '', path = ''] = /^skill:\/\/([a-z0-9-]{1,64})\/(.+)$/.exec(uri) ?? [];
  return { name, path: orNull(() => decodeURIComponent(path)) ?? '' };
}
