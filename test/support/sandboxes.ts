import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { findSandbox, type SandboxChoice } from '../../compiler/io/sandbox/find-sandbox.ts';
import { tempFolder } from './folder.ts';

/** Why a sandbox does not work on this machine; empty if it does. */
export async function isConfinable(name: SandboxChoice): Promise<string> {
  const point = join(tempFolder(), 'root');
  mkdirSync(point);
  const room = tempFolder();
  const confinement = { home: '/nonexistent', readable: [], hidden: [], point, network: true };
  const env = { PATH: process.env['PATH'] ?? '' };
  const found = findSandbox(confinement, env, name, { cwd: room, writable: [room] });
  return found.then(
    (it) => it.why.join('; '),
    (error: unknown) => String(error),
  );
}
