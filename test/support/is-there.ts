import { accessSync, constants } from 'node:fs';

/** Whether a path leads to a file or folder that this process may run or enter. */
export function isThere(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
