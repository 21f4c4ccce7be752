import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf, VadeError } from '../../schema/errors.ts';
import { atExit } from '../process/at-exit.ts';

/** A folder that is removed with its session, however the session ends, except by a kill. */
export interface SessionFolder {
  readonly path: string;
  readonly remove: () => void;
}

/** @throws output_failed */
export function sessionFolder(): SessionFolder {
  const path = create();
  const discard = () => {
    rmSync(path, { recursive: true, force: true });
  };
  const forget = atExit(discard);
  const remove = () => {
    forget();
    discard();
  };
  return { path, remove };
}

function create(): string {
  try {
    return realpathSync(mkdtempSync(join(tmpdir(), 'vade-dev-')));
  } catch (error) {
    throw new VadeError('output_failed', `${tmpdir()} cannot be written: ${messageOf(error)}`);
  }
}
