import { resolve } from 'node:path';
import type { ContinuityOptions } from '../../../server/continuity/continuity.ts';
import { VadeError } from '../../schema/errors.ts';
import type { World } from '../../world/world.ts';
import { ARCHIVE_DAYS } from '../list.ts';
import { scheduleFrom } from '../schedule/settings.ts';

/** The days after which an archive is stale: a setting of the specification, with its name. */
const ARCHIVE_SETTING = 'COGNIRELAY_CONTINUITY_RETENTION_ARCHIVE_DAYS';

/** @throws argument_invalid */
export function archiveDaysFrom({ env }: Pick<World, 'env'>): number {
  const days = Number(env[ARCHIVE_SETTING] ?? ARCHIVE_DAYS);
  if (Number.isInteger(days) && days > 0) return days;
  throw new VadeError('argument_invalid', `${ARCHIVE_SETTING} must be a number of days`);
}

/** Folder of the capsules; undefined without a folder. @throws argument_invalid */
export function capsulesFrom(folder: string | undefined, world: World): ContinuityOptions | undefined {
  if (folder === undefined) return undefined;
  const { cwd, env } = world;
  return { root: resolve(cwd, folder), archiveDays: archiveDaysFrom(world), schedule: scheduleFrom(env) };
}
