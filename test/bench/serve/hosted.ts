import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { KeyHolder } from '../../../compiler/schema/source/key-file.ts';
import { newKey } from '../../../compiler/trust/keys.ts';
import { writeKeyFile } from '../../../compiler/world/key-file.ts';
import type { CompiledPeers } from '../../server/deployment.ts';
import { tempFolder } from '../../support/folder.ts';

const SCRIPT = fileURLToPath(new URL('hosted.mjs', import.meta.url));
const POLL_MS = 5;

/** Starts the built server in a process of its own, on a bundle of the tests; it looks for a new root all the time. */
export async function hosted({ bundle, trust }: CompiledPeers, ...holders: KeyHolder[]) {
  const folder = tempFolder();
  const made = holders.map((it) => newKey(it, 'bench', new Date().toISOString(), randomBytes(40)));
  writeKeyFile(
    join(folder, 'keys.json'),
    made.map((it) => it.record),
  );
  const root = join(folder, 'trust.json');
  writeFileSync(root, trust.root.envelope);
  const given = JSON.stringify({ bundle, trust: root, folder, pollMs: POLL_MS });
  const child = spawn(process.execPath, [SCRIPT, given], { stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.on('data', (chunk: Buffer) => {
      log += chunk.toString('utf8');
      const ready = /"url":"([^"]+)"/.exec(log)?.[1];
      if (ready !== undefined) resolve(ready);
    });
    void ended.then((code) => {
      reject(new Error(`the server ended with ${String(code)}: ${log}`));
    });
  });
  const headers = { authorization: `Bearer ${made[0]?.key ?? ''}`, 'content-type': 'application/json' };
  return {
    ...{ url, pid: child.pid ?? 0, headers, keys: made.map((it) => it.key), audit: join(folder, 'audit.db') },
    lines: () =>
      log
        .split('\n')
        .filter((it) => it !== '')
        .map((it) => JSON.parse(it) as Record<string, unknown>),
    stop: () => {
      child.kill('SIGTERM');
      return ended;
    },
  };
}
