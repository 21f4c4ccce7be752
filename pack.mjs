// `npm pack` runs this first: the package is built from nothing, so that nothing of an earlier build is in it.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(fileURLToPath(import.meta.url));

rmSync(join(root, 'dist'), { recursive: true, force: true });
build(join('node_modules', 'typescript', 'bin', 'tsc'), '--project', 'tsconfig.build.json');
build(join('compiler', 'present', 'page', 'build.mjs'));
build(join('compiler', 'capabilities', 'gate', 'build.mjs'));

function build(...args) {
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: ['ignore', 2, 2] });
  if (status !== 0) process.exit(status ?? 1);
}
