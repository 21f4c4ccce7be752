import { z } from 'zod';
import { MigrationMode } from '../source/agent.ts';
import type { Evidence, StageFigures } from './evidence.ts';

/** §21.6.2: the conditions for the next stage. */
const SEED_HEARTBEATS = 5;
const VERIFY_WINDOW_MS = 7 * 24 * 60 * 60 * 1000;
const VERIFY_MISS_RATE = 0.1;

/** Evidence has to be younger than this when the agent moves. */
export const EVIDENCE_LIFETIME_MS = 30 * 24 * 60 * 60 * 1000;

/** The conditions before an agent moves; the last ones are checked only if the history is known. */
export const StageRule = z.enum([
  'heartbeats',
  'window',
  'miss_rate',
  'audit_covers_window',
  'window_in_stage',
  'revisions_in_stage',
  'evidence_recent',
  'bundle_current',
]);

/** One rule, checked against the figures. */
export const StageCheck = z.strictObject({
  rule: StageRule,
  met: z.boolean(),
  /** As text for people. */
  found: z.string(),
  needed: z.string(),
});

export type StageRule = z.infer<typeof StageRule>;
export type StageCheck = z.infer<typeof StageCheck>;

/** Number of stages that a move goes forward (§21.6.2); negative for a rollback. */
export function stepsBetween(from: MigrationMode, to: MigrationMode): number {
  return MigrationMode.options.indexOf(to) - MigrationMode.options.indexOf(from);
}

/** The stage after this one; null after the last. */
export function nextStage(mode: MigrationMode): MigrationMode | null {
  return MigrationMode.options[MigrationMode.options.indexOf(mode) + 1] ?? null;
}

/** |missed| / (|used| + |missed|) (§21.5.3), exact; null if both are zero. */
function missRateIn({ used, missed }: Pick<StageFigures, 'used' | 'missed'>): number | null {
  return used + missed === 0 ? null : missed / (used + missed);
}

/** Checks the rules of §21.6.2 that need only figures; window and miss rate apply to the last step only. */
export function checkFigures({ to, since, until, figures }: Pick<Evidence, 'to' | 'since' | 'until' | 'figures'>) {
  const { heartbeats, used, missed } = figures;
  const seeded = check('heartbeats', heartbeats >= SEED_HEARTBEATS, `${heartbeats}`, `at least ${SEED_HEARTBEATS}`);
  if (to !== 'stigmem') return [seeded];
  const span = Date.parse(until) - Date.parse(since);
  const rate = missRateIn(figures);
  // in whole numbers: a rounded share could fall on the other side of the limit
  const few = rate !== null && missed * 100 < (used + missed) * 100 * VERIFY_MISS_RATE;
  return [
    seeded,
    check('window', span >= VERIFY_WINDOW_MS, days(span), `at least ${days(VERIFY_WINDOW_MS)}`),
    check(
      'miss_rate',
      few,
      rate === null ? 'nothing used or missed' : percent(rate),
      `below ${percent(VERIFY_MISS_RATE)}`,
    ),
  ];
}

/** The result of checking one rule. */
export function check(rule: StageRule, met: boolean, found: string, needed: string): StageCheck {
  return { rule, met, found, needed };
}

/** A check as a line of text for people. */
export function renderCheck({ rule, found, needed }: StageCheck): string {
  return `${rule} is ${found}; needed: ${needed}`;
}

/** Milliseconds as days, rounded down so that a short window never reads as long enough. */
function days(ms: number): string {
  return `${Math.floor(ms / 864_000) / 100} days`;
}

/** Rounded up, so that a high rate never reads as low enough. */
function percent(rate: number): string {
  return `${Math.ceil(rate * 10_000 - 1e-6) / 100} %`;
}
