import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Commits files to the repository of an agent, as another program may. */
export function commitTo(folder: string, owner: string, files: Readonly<Record<string, string>>): void {
  const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`;
  const written = Object.entries(files).map(([path, text]) => `M 100644 inline ${path}\n${data(text)}`);
  const stream = `commit refs/heads/main\ncommitter x <x@y> 1 +0000\n${data('other')}from refs/heads/main^0\n${written.join('')}\ndone\n`;
  const args = ['--git-dir', join(folder, `${owner}.git`), 'fast-import', '--quiet', '--done'];
  execFileSync('git', args, { input: stream });
}
