import { printable } from '../../schema/diagnostics.ts';
import { VadeError } from '../../schema/errors.ts';
import { spawnGit, TIMEOUT_MS, type GitCall } from './git-process.ts';

/**
 * Runs git, and passes each line of its output on as it comes: an output of any size takes no memory.
 *
 * @param input for its standard input
 * @throws git_unavailable, repository_unreadable
 */
export async function readLines(
  args: readonly string[],
  input: string,
  call: Pick<GitCall, 'own' | 'avoid' | 'env' | 'least'>,
  take: (line: string) => void,
): Promise<void> {
  const child = await spawnGit(args, call);
  const timer = setTimeout(() => child.kill('SIGKILL'), TIMEOUT_MS);
  let rest = '';
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString('latin1')).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) take(line);
  });
  child.stderr.on('data', (chunk: Buffer) => {
    if (said.length < 2000) said += chunk.toString('utf8');
  });
  // git may end before it has read its input; the close event reports how it ended
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  try {
    await new Promise<void>((resolve, reject) => {
      const fail = (why: string) => {
        reject(new VadeError('repository_unreadable', `git ${args[0] ?? ''} failed: ${why}`));
      };
      child.on('error', (error) => {
        fail(error.message);
      });
      child.on('close', (code, signal) => {
        if (code === 0) resolve();
        else fail(printable(said.trim()) || (signal ?? `exit ${code ?? ''}`));
      });
    });
  } finally {
    clearTimeout(timer);
  }
}
