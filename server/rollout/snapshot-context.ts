import type { Logger } from 'pino';
import type { HubSource } from '../../compiler/io/models/encoder.ts';
import { messageOf, VadeError } from '../../compiler/schema/errors.ts';
import { reasonOf } from '../../compiler/schema/refusals.ts';
import type { SignedRoot } from '../../compiler/trust/root-chain.ts';
import type { GardensContext } from './gardens.ts';
import type { WithdrawalsWatch } from './watch.ts';
import { createWithdrawn } from './withdrawals.ts';

export interface ContextOptions {
  /** The bundle folder, or a mirror's cache. */
  readonly folder: string;
  readonly pinned: SignedRoot;
  /** State file that records the newest served bundle. */
  readonly newestFile: string;
  /** State file that records the facts it published. */
  readonly factsFile: string;
  readonly models: string;
  /** Source of models that are missing in `models`. */
  readonly hub?: HubSource | undefined;
  /** Whether requests, and bundles, are refused without a valid freshness statement. */
  readonly failStale: boolean;
  /** Whether a mirror replaces damaged files. */
  readonly isMirrored: boolean;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Logger;
}

/** The context for opening every snapshot of this server. */
export interface SnapshotContext extends GardensContext, Omit<ContextOptions, 'log'> {
  readonly onNotFresh: (error: unknown) => void;
  /** The record of published facts is lost; it may be restored from the newest served bundle. */
  readonly onFactsLost: (reason: string, isRestored: boolean) => void;
}

/** The context of all snapshots of a server, above all the withdrawn facts, which stay withdrawn across swaps. */
export function snapshotContext({ log, ...options }: ContextOptions): SnapshotContext {
  return {
    ...options,
    withdrawn: createWithdrawn(),
    onBad: ({ garden, reason, retryable }, error) => {
      const help = retryable ? 'the server retries' : 'compile the bundle again: that rewrites the damaged files';
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
    onFactsLost: (reason, isRestored) => {
      const fields = { file: options.factsFile, reason };
      if (isRestored) log.warn(fields, 'the record of published facts is written again from the newest served bundle');
      else log.error({ ...fields, help: COMPARE }, 'facts that have changed since they were published are not noticed');
    },
  };
}

/** Why a root is refused, and what to do, for a log line. */
export function refusalFields(error: unknown) {
  const { fact_uri, suggestion: help } = error instanceof VadeError ? error.details : {};
  return {
    reason: reasonOf(error),
    message: messageOf(error),
    ...(fact_uri !== undefined && { fact_uri }),
    ...(help !== undefined && { help }),
  };
}

const COMPARE = 'compare the bundle with an earlier one: vade verify --previous';

/** Skipped records that a log line names. */
const MAX_REPORTED = 5;

/** Logs changes of the withdrawal list, one line per change. */
export function reportWithdrawals(log: Logger): Pick<WithdrawalsWatch, 'onShortened' | 'onSkipped' | 'onBad'> {
  return {
    onShortened: (count) => {
      log.warn({ count }, 'withdrawals are no longer listed; withdrawn facts stay withdrawn');
    },
    onSkipped: (skipped) => {
      const reasons = [...new Set(skipped.map((it) => it.reason))].sort();
      const records = skipped.slice(0, MAX_REPORTED).map((it) => it.record);
      log.error({ skipped: skipped.length, reasons, records }, 'invalid withdrawals are skipped');
    },
    onBad: (error) => {
      log.error({ reason: messageOf(error) }, 'withdrawals do not verify');
    },
  };
}
