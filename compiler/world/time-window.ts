import { z } from 'zod';
import { VadeError } from '../schema/errors.ts';
import type { World } from './world.ts';

const UNITS_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

const AGE = /^(\d{1,5})([mhd])$/;

/**
 * A flag's time in milliseconds since 1970: `all`, an age such as `7d`, `12h` or `30m`, or an ISO 8601 time.
 *
 * @throws argument_invalid
 */
function momentOf(flag: string, text: string, now: number): number {
  if (text === 'all') return 0;
  const [, count, unit] = AGE.exec(text) ?? [];
  if (unit !== undefined) return Math.max(0, now - Number(count) * UNITS_MS[unit as keyof typeof UNITS_MS]);
  const time = z.union([z.iso.date(), z.iso.datetime({ offset: true })]).safeParse(text);
  if (time.success) return Math.max(0, Date.parse(time.data));
  throw new VadeError(
    'argument_invalid',
    `--${flag} must be all, an age such as 7d or 12h, or a time such as 2026-05-04`,
    {
      flag,
    },
  );
}

/**
 * A window of the audit in milliseconds since 1970: `since` inclusive, `until` exclusive. Without `until` it has no
 * end, because the clock of a server may be ahead of this one.
 *
 * @throws argument_invalid
 */
export function windowFrom({ since, until }: { since: string; until: string | undefined }, world: World) {
  const now = world.now().getTime();
  const window = {
    since: momentOf('since', since, now),
    until: until === undefined ? Number.MAX_SAFE_INTEGER : momentOf('until', until, now),
  };
  if (window.since < window.until) return window;
  throw new VadeError('argument_invalid', '--since must be before --until', { flag: 'since' });
}
