/** Ends a process group that was started with `detached`, and all that is still in it. */
export function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // all of it has ended
  }
}
