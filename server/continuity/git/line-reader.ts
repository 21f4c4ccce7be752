import type { ChildProcessWithoutNullStreams } from 'node:child_process';

/** The standard output of a process, line by line. */
export interface LineReader {
  /**
   * The next lines; one caller waits at a time. A process that does not write them in time is killed.
   *
   * @throws Error if it has ended
   */
  readonly take: (count: number, milliseconds: number) => Promise<string[]>;
  readonly hasEnded: () => boolean;
}

interface Waiting {
  readonly count: number;
  readonly resolve: (lines: string[]) => void;
  readonly reject: (error: Error) => void;
}

export function createLineReader(child: ChildProcessWithoutNullStreams): LineReader {
  const heard: string[] = [];
  let waiting: Waiting | null = null;
  let failure: Error | null = null;
  const settle = () => {
    const isEnough = waiting !== null && heard.length >= waiting.count;
    if (waiting === null || (!isEnough && failure === null)) return;
    const { count, resolve, reject } = waiting;
    waiting = null;
    if (isEnough) resolve(heard.splice(0, count));
    else reject(failure ?? new Error('ended'));
  };
  const fail = (error: Error) => {
    failure ??= error;
    settle();
  };
  onLines(child.stdout, (lines) => {
    heard.push(...lines);
    settle();
  });
  onEnd(child, fail);
  const take: LineReader['take'] = async (count, milliseconds) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      fail(new Error('git does not answer'));
    }, milliseconds);
    try {
      return await new Promise((resolve, reject) => {
        waiting = { count, resolve, reject };
        settle();
      });
    } finally {
      clearTimeout(timer);
    }
  };
  return { take, hasEnded: () => failure !== null };
}

/** Passes on whole lines that are not empty. */
function onLines(output: NodeJS.ReadableStream, take: (lines: readonly string[]) => void): void {
  let rest = '';
  output.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    take(lines.filter((it) => it !== ''));
  });
}

/** Length of the end of its error output that is kept. */
const COMPLAINT = 500;

function onEnd(child: ChildProcessWithoutNullStreams, fail: (error: Error) => void): void {
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    complaint = (complaint + chunk).slice(-COMPLAINT);
  });
  child.stdin.on('error', fail);
  child.on('error', fail).on('close', (code, signal) => {
    fail(new Error(`git ended: ${signal ?? code ?? ''} ${complaint.trim()}`));
  });
}
