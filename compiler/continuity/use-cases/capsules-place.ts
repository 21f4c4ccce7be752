import { resolve } from 'node:path';
import type { ContinuityOptions } from '../../../server/continuity/continuity.ts';
import { VadeError } from '../../schema/errors.ts';
import type { World } from '../../world/world.ts';
import { ARCHIVE_DAYS } from '../list.ts';
import { SCHEDULE_ENVIRONMENT, ScheduleSettings } from '../schema/schedule/settings.ts';

const PREFIX = 'COGNIRELAY_SCHEDULE_';

/**
 * The settings of schedules, from an environment. There are exactly three; another one with their prefix is a mistake
 * that would be without effect.
 *
 * @throws argument_invalid, with the name of the setting
 */
export function scheduleFrom(env: Readonly<Record<string, string | undefined>>): ScheduleSettings {
  const names = Object.keys(SCHEDULE_ENVIRONMENT);
  const unknown = Object.keys(env).find((it) => it.startsWith(PREFIX) && !names.includes(it));
  if (unknown !== undefined)
    throw new VadeError('argument_invalid', `${unknown} is not a setting; the settings are ${names.join(', ')}`);
  const parsed = ScheduleSettings.safeParse(env);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new VadeError('argument_invalid', `${issue?.path.join('.') ?? PREFIX}: ${issue?.message ?? 'is not valid'}`);
}

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
