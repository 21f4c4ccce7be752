// `npm run build`: everything that `dist` has. What a step prints goes to stderr, since `npm pack --json` answers on stdout.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(fileURLToPath(import.meta.url));
const steps = [
  [join('node_modules', 'typescript', 'bin', 'tsc'), '--project', 'tsconfig.build.json'],
  [join('compiler', 'present', 'page', 'build.mjs')],
  [join('compiler', 'cli', 'build.mjs')],
  [join('compiler', 'capabilities', 'gate', 'build.mjs')],
];

for (const step of steps) {
  const { status } = spawnSync(process.execPath, step, { cwd: root, stdio: ['ignore', 2, 2] });
  if (status !== 0) process.exit(status ?? 1);
}
