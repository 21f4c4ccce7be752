import { chmodSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { tempFolder } from './folder.ts';

/** A PATH on which the built `vade` comes first, as after `npm install --global`. */
export function vadeOnPath(): string {
  const folder = tempFolder();
  const shim = join(folder, 'vade');
  writeFileSync(shim, `#!/bin/sh\nexec '${process.execPath}' '${resolve('dist/compiler/cli/main.js')}' "$@"\n`);
  chmodSync(shim, 0o755);
  return `${folder}:${process.env['PATH'] ?? ''}`;
}
