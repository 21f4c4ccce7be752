import { fstatSync } from 'node:fs';
import { writeAll } from '../io/files/durable.ts';
import { messageOf } from '../schema/errors.ts';
import { orNull } from '../schema/or-null.ts';
import { EXIT } from './exit.ts';

/** The signals that end a command line. */
export const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

const SIGNAL_EXITS: readonly number[] = SIGNALS.map((it) => EXIT[it]);

/** A reader that closes the pipe early, such as `head`, is not an error; a full disk is. */
export function endAtOutputError(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit(0);
  process.stderr.write(`vade: the output cannot be written: ${messageOf(error)}\n`);
  process.exit(EXIT.GENERAL_ERROR);
}

const STDOUT = 1;

/** Prints on stdout. Into a file Node writes once, and loses what a disk that is nearly full did not take. */
export function printOut(text: string): void {
  const stat = process.stdout.isTTY ? null : orNull(() => fstatSync(STDOUT));
  if (!stat?.isFile() && !stat?.isCharacterDevice()) {
    process.stdout.write(text);
    return;
  }
  try {
    writeAll(STDOUT, Buffer.from(text));
  } catch (error) {
    endAtOutputError(error as NodeJS.ErrnoException);
  }
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
