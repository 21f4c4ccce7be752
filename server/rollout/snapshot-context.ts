import type { Logger } from 'pino';
import type { HubSource } from '../../compiler/io/models/encoder.ts';
import { messageOf } from '../../compiler/schema/errors.ts';
import type { SignedRoot } from '../../compiler/trust/root-chain.ts';
import type { SnapshotContext } from './open-snapshot.ts';
import type { WithdrawalsWatch } from './watch.ts';
import { noneWithdrawn } from './withdrawals.ts';

export interface ContextOptions {
  /** The bundle directory, or the cache that a mirror keeps. */
  readonly folder: string;
  readonly pinned: SignedRoot;
  /** Remembers which bundle was served last. */
  readonly seen: string;
  readonly models: string;
  readonly hub?: HubSource | undefined;
  readonly failStale: boolean;
  /** Whether a mirror brings anew what is damaged. */
  readonly isMirrored: boolean;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Logger;
}

/** What every edition of a server has in common: the withdrawn facts above all, which stay out over any swap. */
export function snapshotContext({ log, ...options }: ContextOptions): SnapshotContext {
  return {
    ...options,
    withdrawn: noneWithdrawn(),
    onBad: ({ garden, reason, retryable }, error) => {
      const help = retryable ? 'it is tried again' : 'compile its bundle again: that writes anew what is damaged';
      log.error({ garden, reason, retryable, message: messageOf(error), help }, 'garden does not verify');
    },
    onGood: (garden) => {
      log.info({ garden }, 'garden verifies again');
    },
    onNotice: (garden, notice) => {
      log.warn({ garden }, notice);
    },
    onNotFresh: (error) => {
      log.error({ reason: messageOf(error) }, 'freshness does not verify');
    },
  };
}

/** How many skipped records a log line names. */
const MAX_TOLD = 5;

/** What an operator is told of the list of withdrawals: one line for each change of it. */
export function reportWithdrawals(log: Logger): Pick<WithdrawalsWatch, 'onShortened' | 'onSkipped' | 'onBad'> {
  return {
    onShortened: (count) => {
      log.warn({ count }, 'withdrawals are not listed any more; what was taken out stays out');
    },
    onSkipped: (skipped) => {
      const reasons = [...new Set(skipped.map((it) => it.reason))].sort();
      const records = skipped.slice(0, MAX_TOLD).map((it) => it.record);
      log.error({ skipped: skipped.length, reasons, records }, 'withdrawals do not hold and are skipped');
    },
    onBad: (error) => {
      log.error({ reason: messageOf(error) }, 'withdrawals do not verify');
    },
  };
}
