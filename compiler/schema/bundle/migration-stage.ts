import { z } from 'zod';
import { MigrationMode } from '../source/agent.ts';
import type { Evidence, StageFigures } from './evidence.ts';

/** §21.6.2: what it takes to go on. */
const SEED_HEARTBEATS = 5;
const VERIFY_WINDOW_MS = 7 * 24 * 60 * 60 * 1000;
const VERIFY_MISS_RATE = 0.1;

/** Evidence older than this, when the agent moves on, is of another time. */
export const EVIDENCE_LIFETIME_MS = 30 * 24 * 60 * 60 * 1000;

type Mode = z.infer<typeof MigrationMode>;

/** What has to hold before an agent moves on; the last ones only where the history is known. */
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

/** One of the rules, held against what was found. */
export const StageCheck = z.strictObject({
  rule: StageRule,
  met: z.boolean(),
  /** In words. */
  found: z.string(),
  needed: z.string(),
});

export type StageRule = z.infer<typeof StageRule>;
export type StageCheck = z.infer<typeof StageCheck>;

/** How many stages a move goes forward (§21.6.2); negative for a rollback. */
export function stepsBetween(from: Mode, to: Mode): number {
  return MigrationMode.options.indexOf(to) - MigrationMode.options.indexOf(from);
}

/** The stage after this one; null after the last. */
export function nextStage(mode: Mode): Mode | null {
  return MigrationMode.options[MigrationMode.options.indexOf(mode) + 1] ?? null;
}

/** |missed| / (|used| + |missed|) (§21.5.3), exact; null of nothing. */
function missRateIn({ used, missed }: Pick<StageFigures, 'used' | 'missed'>): number | null {
  return used + missed === 0 ? null : missed / (used + missed);
}

/** The rules of §21.6.2 that figures alone decide; the window and its misses belong to the last step. */
export function checkFigures({ to, since, until, figures }: Pick<Evidence, 'to' | 'since' | 'until' | 'figures'>) {
  const { heartbeats, used, missed } = figures;
  const seeded = check('heartbeats', heartbeats >= SEED_HEARTBEATS, `${heartbeats}`, `at least ${SEED_HEARTBEATS}`);
  if (to !== 'stigmem') return [seeded];
  const span = Date.parse(until) - Date.parse(since);
  const rate = missRateIn(figures);
  // in whole numbers: a share that is rounded could fall on the other side
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

/** A rule with what was found of it. */
export function check(rule: StageRule, met: boolean, found: string, needed: string): StageCheck {
  return { rule, met, found, needed };
}

/** A rule for people. */
export function renderCheck({ rule, found, needed }: StageCheck): string {
  return `${rule} is ${found}; needed: ${needed}`;
}

/** Milliseconds as days, rounded down so that too little never reads as enough. */
function days(ms: number): string {
  return `${Math.floor(ms / 864_000) / 100} days`;
}

/** Rounded up, so that too much never reads as little enough. */
function percent(rate: number): string {
  return `${Math.ceil(rate * 10_000 - 1e-6) / 100} %`;
}
