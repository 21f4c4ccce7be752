import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { withCodexServer, withHookLines, withServer, type HostSession } from '../../hosts/hook-lines.ts';
import { HOST_TABLE, HOSTS, type HostName } from '../../hosts/hosts.ts';
import type { Json } from '../../hosts/json-values.ts';
import { parseSettings, writeSettings } from '../../hosts/settings-text.ts';
import { replaceFile } from '../../io/files/durable.ts';
import { readIfThere } from '../../io/files/file.ts';
import { messageOf, VadeError } from '../../schema/errors.ts';
import type { Arguments } from '../../world/flags/flag.ts';
import type { World } from '../../world/world.ts';
import type { CONNECT } from '../flags/hook.ts';

/** A file of a host before and after it is connected. */
export interface HostChange {
  readonly file: string;
  /** Null if there is none. */
  readonly before: string | null;
  readonly after: string;
  /** The part that is ours. */
  readonly own: string;
}

/** Larger settings are refused. */
const MOST_BYTES = 4 * 1024 * 1024;

/** Folder of the capsules of a project; `.vade` is git-ignored. */
export const CAPSULES = '.vade/capsules';

/**
 * Connects hosts to an agent of a handbook: their hooks and their servers, merged into what is there. Without `--yes`
 * it only says what would change.
 *
 * @throws argument_invalid, output_failed
 */
export function connectHosts({ agent, ...args }: Arguments<typeof CONNECT>, world: World): readonly HostChange[] {
  const folder = resolve(world.cwd, args.dir);
  const { bundle = null, trust = null, subagent: subagents } = args;
  const session = { agent, bundle, trust, subagents, capsules: args.continuity ? CAPSULES : null };
  const edits = [...hostEdits(hostsFrom(args.host), session)];
  const changes = edits.map((edit) => changeIn(folder, ...edit)).filter((it) => it.after !== it.before);
  for (const { file, before, after } of args.yes && !args['dry-run'] ? changes : []) {
    const path = join(folder, file);
    // settings may have keys of their owner
    const mode = before === null ? {} : { mode: statSync(path).mode & 0o777 };
    replaceFile(path, after, { ...mode, folders: true, limit: MOST_BYTES });
  }
  return changes;
}

/** The hosts that a person named, or Claude Code. @throws argument_invalid */
function hostsFrom(named: readonly string[]): readonly HostName[] {
  if (named.length === 0) return ['claude-code'];
  const unknown = named.find((it) => HOSTS.every((host) => host !== it));
  if (unknown !== undefined) {
    const message = `--host ${unknown} is not known: ${HOSTS.join(', ')}`;
    throw new VadeError('argument_invalid', message, { flag: 'host' });
  }
  return HOSTS.filter((it) => named.includes(it));
}

/** @throws argument_invalid for a link, and for settings that cannot be written again with the same meaning */
function changeIn(folder: string, file: string, edit: Edit): HostChange {
  const before = readOwn(join(folder, file), file);
  return { file, before, after: edit(before ?? ''), own: edit('') };
}

/** A link may lead out of the project, and would become a file. */
function readOwn(path: string, file: string): string | null {
  try {
    return readIfThere(path, MOST_BYTES, 'refuse')?.toString('utf8') ?? null;
  } catch (error) {
    throw new VadeError('argument_invalid', `${file} cannot be read as a regular file: ${messageOf(error)}`);
  }
}

/** Adds what is ours to the text of a file. @throws argument_invalid */
type Edit = (text: string) => string;

/** The edits by which hosts are connected to an agent, by file: their hooks, and their servers. */
export function hostEdits(hosts: readonly HostName[], session: HostSession): ReadonlyMap<string, Edit> {
  const edits = new Map<string, Edit>();
  for (const host of hosts) {
    const { hooks, servers } = HOST_TABLE[host];
    const own: readonly (readonly [string, Edit])[] = [
      [hooks, jsonEdit(hooks, (it) => withHookLines(it, host, session, hooks))],
      servers.endsWith('.toml')
        ? [servers, (text) => withCodexServer(text, session)]
        : [servers, jsonEdit(servers, (it) => withServer(it, host, session, servers))],
    ];
    for (const [file, edit] of own) {
      const before = edits.get(file);
      edits.set(file, before === undefined ? edit : (text) => edit(before(text)));
    }
  }
  return edits;
}

function jsonEdit(file: string, edit: (settings: Json) => Json): Edit {
  return (text) => {
    const settings = parseSettings(text, file);
    const edited = edit(settings);
    return JSON.stringify(edited) === JSON.stringify(settings) ? text : writeSettings(edited, text);
  };
}
