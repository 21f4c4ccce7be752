import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { withCodexServer, withHookLines, withServer, type HostSession } from '../../hosts/hook-lines.ts';
import { HOST_TABLE, HOSTS, type HostName } from '../../hosts/hosts.ts';
import type { Json } from '../../hosts/json-values.ts';
import { parseSettings, writeSettings } from '../../hosts/settings-text.ts';
import { replaceFile } from '../../io/files/durable.ts';
import { readIfThere } from '../../io/files/file.ts';
import { VadeError } from '../../schema/errors.ts';
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
  const changes = hostChanges(folder, hostsFrom(args.host), session).filter((it) => it.after !== it.before);
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

/**
 * The files by which hosts connect to an agent in a folder: their hooks, and their servers.
 *
 * @throws argument_invalid for settings that cannot be written again with the same meaning
 */
export function hostChanges(folder: string, hosts: readonly HostName[], session: HostSession): HostChange[] {
  const edits = hosts.flatMap((host) => {
    const { hooks, servers } = HOST_TABLE[host];
    const isToml = servers.endsWith('.toml');
    return [
      { file: hooks, edit: jsonEdit(hooks, (settings) => withHookLines(settings, host, session, hooks)) },
      {
        file: servers,
        edit: isToml
          ? (text: string) => withCodexServer(text, session)
          : jsonEdit(servers, (settings) => withServer(settings, host, session, servers)),
      },
    ];
  });
  return [...new Set(edits.map(({ file }) => file))].map((file) => {
    const before = readIfThere(join(folder, file), MOST_BYTES)?.toString('utf8') ?? null;
    const edited = (text: string) => edits.reduce((all, it) => (it.file === file ? it.edit(all) : all), text);
    return { file, before, after: edited(before ?? ''), own: edited('') };
  });
}

function jsonEdit(file: string, edit: (settings: Json) => Json) {
  return (text: string): string => {
    const settings = parseSettings(text, file);
    const edited = edit(settings);
    return JSON.stringify(edited) === JSON.stringify(settings) ? text : writeSettings(edited, text);
  };
}
