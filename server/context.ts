import type { Logger } from 'pino';
import type { HubSource } from '../compiler/edge/encoder.ts';
import { messageOf } from '../compiler/model/errors.ts';
import type { SealedRoot } from '../compiler/trust/chain.ts';
import type { EditionContext } from './activation.ts';
import { noneWithdrawn } from './withdrawn.ts';

export interface ContextOptions {
  /** The bundle directory, or the cache that a mirror keeps. */
  readonly folder: string;
  readonly pinned: SealedRoot;
  /** Remembers which bundle was served last. */
  readonly seen: string;
  readonly models: string;
  readonly hub?: HubSource | undefined;
  readonly failStale: boolean;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Logger;
}

/** What every edition of a server has in common: the withdrawn facts above all, which stay out over any swap. */
export function editionContext({ log, ...options }: ContextOptions): EditionContext {
  return {
    ...options,
    withdrawn: noneWithdrawn(),
    onBad: (garden, error) => {
      log.error({ garden, reason: messageOf(error) }, 'garden does not verify');
    },
    onNotice: (garden, notice) => {
      log.warn({ garden }, notice);
    },
    onNotFresh: (error) => {
      log.error({ reason: messageOf(error) }, 'freshness does not verify');
    },
  };
}
