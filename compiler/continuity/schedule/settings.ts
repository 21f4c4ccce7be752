import { VadeError } from '../../schema/errors.ts';
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
