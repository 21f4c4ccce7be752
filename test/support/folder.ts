import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterFile } from './after-file.ts';

/** A fresh empty folder that goes when the test file is done. */
export function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'vade-test-'));
  afterFile(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}
