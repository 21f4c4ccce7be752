// `npm run build`: everything in `dist`. Output of the steps goes to stderr, since `npm pack --json` answers on stdout.
import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(fileURLToPath(import.meta.url));
const steps = [
  // in build mode it looks at times and bytes first, and reads no types where no source has changed
  [join('node_modules', 'typescript', 'bin', 'tsc'), '--build', 'tsconfig.build.json'],
  [join('compiler', 'present', 'page', 'build.mjs')],
  [join('compiler', 'cli', 'build.mjs')],
  [join('compiler', 'capabilities', 'gate', 'build.mjs')],
];

for (const step of steps) {
  const { status } = spawnSync(process.execPath, step, { cwd: root, stdio: ['ignore', 2, 2] });
  if (status !== 0) process.exit(status ?? 1);
}
