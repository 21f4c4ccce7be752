// Installs and builds the checkout that this action is a part of, unless it is built.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { MAIN } from './vade.mjs';

if (!existsSync(MAIN)) {
  const cwd = fileURLToPath(new URL('../../..', import.meta.url));
  execFileSync(process.execPath, ['setup.mjs'], { cwd, stdio: 'inherit' });
  execFileSync('npm', ['run', '--silent', 'build'], { cwd, stdio: 'inherit' });
}
