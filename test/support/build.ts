import { spawnSync } from 'node:child_process';

/** Tests that run `vade` in a process run what is built from the sources under test. @throws where they do not compile */
export default function build(): void {
  const state = globalThis as { vadeIsBuilt?: boolean };
  // each project asks for it
  if (state.vadeIsBuilt) return;
  run('node_modules/typescript/bin/tsc', '--project', 'tsconfig.build.json');
  run('compiler/present/page/build.mjs');
  state.vadeIsBuilt = true;
}

function run(...args: readonly string[]): void {
  const { status } = spawnSync(process.execPath, args, { stdio: ['ignore', process.stderr, process.stderr] });
  if (status !== 0) throw new Error(`the build failed: node ${args.join(' ')} ended with ${String(status)}`);
}
