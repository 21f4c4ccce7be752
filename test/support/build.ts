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
  node('node_modules/typescript/bin/tsc', '--project', 'tsconfig.build.json');
  node('compiler/present/page/build.mjs');
  node('compiler/capabilities/gate/build.mjs');
  const shared = mkdtempSync(join(quickFolder(), 'vade-test-shared-'));
  process.env['VADE_TEST_SHARED'] = shared;
  return () => {
    rmSync(shared, { recursive: true, force: true });
  };
}

function node(...args: readonly string[]): void {
  const { status } = spawnSync(process.execPath, args, { stdio: ['ignore', process.stderr, process.stderr] });
  if (status !== 0) throw new Error(`the build failed: node ${args.join(' ')} ended with ${String(status)}`);
}
