import type { ChildProcess } from 'node:child_process';

/** Kills a process with SIGKILL as soon as something is due; looks as often as it can while the process runs. */
export function killWhen(child: Pick<ChildProcess, 'kill' | 'once'>, due: () => boolean): void {
  const timer = setInterval(() => {
    if (!due()) return;
    clearInterval(timer);
    child.kill('SIGKILL');
  }, 1);
  child.once('close', () => {
    clearInterval(timer);
  });
}
