import { spawnSync } from 'node:child_process';

/** Tests that run `vade` run what is built from the sources under test; types are judged by the linter's run. */
export default function build(): void {
  const compiler = 'node_modules/typescript/bin/tsc';
  spawnSync(process.execPath, [compiler, '--project', 'tsconfig.build.json'], { stdio: 'ignore' });
  spawnSync(process.execPath, ['compiler/present/page/build.mjs'], { stdio: ['ignore', 'ignore', 'inherit'] });
}
