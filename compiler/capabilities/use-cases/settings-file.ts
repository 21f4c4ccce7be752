import { rmSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { writeSettings } from '../../hosts/settings-text.ts';
import { replaceFile, syncFolder } from '../../io/files/durable.ts';
import { readIfThere } from '../../io/files/file.ts';
import { assertOwnWay } from '../../io/files/own-way.ts';
import { messageOf, VadeError } from '../../schema/errors.ts';
import type { World } from '../../world/world.ts';
import { readSettings } from '../hooks/host-settings.ts';
import { realDisk } from '../paths/disk.ts';
import { below, realPath } from '../paths/real-path.ts';

/** A larger file is refused. */
export const MAX_SETTINGS_BYTES = 4 * 1024 * 1024;
/** Settings may hold keys of the person's. */
const MODE = 0o600;

/** The settings of a host, as they were read. */
export interface SettingsFile {
  /** The real path: a link to it stays a link. */
  readonly path: string;
  readonly settings: Readonly<Record<string, unknown>>;
  /** Null if there is no file. */
  readonly before: Buffer | null;
}

/**
 * Reads the settings that a person named, or their own. A link that leads out of the home, or out of the folder that
 * was named, may have been put there to have another file written.
 *
 * @throws argument_invalid
 */
export function openSettings(given: string | undefined, world: World): SettingsFile {
  const home = resolve(world.env['HOME'] ?? '/');
  const named = given === undefined ? join(home, '.claude', 'settings.json') : resolve(world.cwd, given);
  const isOwn = below(home, named) !== null;
  assertOwnWay(named);
  const path = realPath(named, realDisk);
  const allowed = isOwn ? realPath(home, realDisk) : realPath(dirname(named), realDisk);
  if (below(allowed, path) === null) {
    const message = `${named} is a link to ${path}, outside of ${allowed}; nothing was changed`;
    throw new VadeError('argument_invalid', message, { flag: 'settings' });
  }
  const before = readBytes(path);
  return { path, before, settings: readSettings(before?.toString('utf8') ?? '', named) };
}

function readBytes(path: string): Buffer | null {
  try {
    return readIfThere(path, MAX_SETTINGS_BYTES, 'refuse');
  } catch (error) {
    throw new VadeError('argument_invalid', `${path} cannot be read: ${messageOf(error)}`, { flag: 'settings' });
  }
}

/**
 * Writes changed settings, whole or not at all; if no settings remain, the file is removed.
 *
 * @throws file_locked if somebody else has changed them meanwhile; output_failed
 */
export function saveSettings({ path, before, settings: old }: SettingsFile, settings: SettingsFile['settings']): void {
  if (settings === old) return;
  const now = readBytes(path);
  const isSame = now === null ? before === null : before !== null && now.equals(before);
  if (!isSame) throw new VadeError('file_locked', `${basename(path)} was changed meanwhile; nothing was written`);
  if (Object.keys(settings).length === 0) {
    removeFile(path);
    return;
  }
  const mode = before === null ? MODE : statSync(path).mode & 0o777;
  replaceFile(path, writeSettings(settings, before?.toString('utf8') ?? ''), {
    mode,
    folders: true,
    limit: MAX_SETTINGS_BYTES,
  });
}

function removeFile(path: string): void {
  try {
    rmSync(path);
    syncFolder(dirname(path));
  } catch (error) {
    throw new VadeError('output_failed', `${path} cannot be removed: ${messageOf(error)}`);
  }
}
