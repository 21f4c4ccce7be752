import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { quickFolder } from './quick-folder.ts';

/**
 * Builds the sources under test, for tests that run `vade` in a process, and makes the folder that test files share
 * for the run. @throws where the sources do not compile
 */
export default function build(): (() => void) | undefined {
  const run = globalThis as { vadeTestRun?: boolean };
  // every project asks for it
  if (run.vadeTestRun) return undefined;
  run.vadeTestRun = true;
  const { status } = spawnSync(process.execPath, ['build.mjs'], { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(`the build failed: it ended with ${String(status)}`);
  const shared = mkdtempSync(join(quickFolder(), 'vade-test-shared-'));
  process.env['VADE_TEST_SHARED'] = shared;
  return () => {
    rmSync(shared, { recursive: true, force: true });
  };
}
