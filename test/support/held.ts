import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';

const LOCK = new URL('../../dist/compiler/io/files/lock.js', import.meta.url).href;
const HOLD = `import { takeLock } from '${LOCK}';
const said = takeLock(process.argv[1]) === null ? 'taken' : 'held';
// nothing refers to the lock any more, and it must be held all the same
setTimeout(() => {
  gc();
  process.stdout.write(said);
}, 1);
setInterval(() => undefined, 60_000);`;

/** Another process that holds a lock until it is killed, or the test is over. */
export interface Holder {
  readonly said: string;
  /** Ends it with SIGKILL: it has no time to tidy up. */
  readonly kill: () => Promise<void>;
}

export async function heldElsewhere(path: string): Promise<Holder> {
  const child = spawn(process.execPath, ['--expose-gc', '--input-type=module', '-e', HOLD, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  const kill = async () => {
    child.kill('SIGKILL');
    await closed;
  };
  onTestFinished(kill);
  const [said] = (await once(child.stdout, 'data')) as [Buffer];
  return { said: said.toString(), kill };
}
