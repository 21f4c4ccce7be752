import { EXIT } from './exit.ts';

/** The signals that end a command line. */
export const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

const SIGNAL_EXITS: readonly number[] = SIGNALS.map((it) => EXIT[it]);

/** A reader that closes the pipe early, such as `head`, is not an error. */
export function endAtClosedPipe({ code }: NodeJS.ErrnoException): void {
  if (code === 'EPIPE') process.exit(0);
}

/**
 * Ends the process after its run, once stdout has been read: an interrupted command may have pending
 * work, which would keep it. A signal that arrives now ends it at once, and after a signal no reader is waited for.
 */
export function endProcess(exit: number): void {
  for (const it of SIGNALS) process.removeAllListeners(it);
  if (SIGNAL_EXITS.includes(exit) && process.stdout.writableNeedDrain) process.exit(exit);
  process.stdout.write('', () => process.exit(exit));
}
