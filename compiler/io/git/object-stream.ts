import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { printable } from '../../schema/diagnostics.ts';
import { VadeError } from '../../schema/errors.ts';
import { inTurn } from '../../schema/in-turn.ts';
import { spawnGit, TIMEOUT_MS, type GitCall } from './git-process.ts';

/**
 * The next step that a reader of answers wants: more of them, none, or the end of the process because of an announced
 * object.
 */
export type AnswerState = 'more' | 'done' | 'stop';

/** Asks for objects by name, one a line; passes git's answers to `take` in chunks. @throws repository_unreadable */
export type AskObjects = (names: readonly string[], take: (chunk: Buffer) => AnswerState) => Promise<void>;

/** The process ends after this time without a question: a reader of a commit asks for objects in quick succession. */
const IDLE_MS = 250;

/**
 * One process of `cat-file --batch` for all the objects that a command reads: to start git costs more than they do. It
 * is started again if more is asked later.
 *
 * @param inOwn runs work in a git directory of our own, which is removed when the work ends
 */
export function objectStream(
  inOwn: (work: (own: string) => Promise<void>) => Promise<void>,
  call: Pick<GitCall, 'avoid' | 'env' | 'least'>,
): AskObjects {
  let running: ObjectProcess | null = null;
  const oneAtATime = inTurn();
  const start = () =>
    new Promise<ObjectProcess>((resolve, reject) => {
      inOwn(async (own) => {
        const process = new ObjectProcess(await spawnGit(['cat-file', '--batch'], { own, ...call }));
        resolve(process);
        await process.ended;
      }).catch(reject);
    });
  const ask: AskObjects = async (names, take) => {
    const process = running?.reopen() === true ? running : await start();
    running = null;
    let wanted: AnswerState = 'stop';
    try {
      wanted = await process.ask(names, take);
    } finally {
      if (wanted === 'stop') process.kill();
    }
    if (wanted === 'stop') return;
    process.endIn(IDLE_MS);
    running = process;
  };
  return (names, take) => oneAtATime(() => ask(names, take));
}

/** A running `cat-file --batch`; one question at a time. */
class ObjectProcess {
  readonly ended: Promise<void>;
  readonly #child: ChildProcessWithoutNullStreams;
  #question: {
    readonly take: (chunk: Buffer) => AnswerState;
    readonly end: (how: AnswerState | Error) => void;
  } | null = null;
  #timer: NodeJS.Timeout | undefined;
  #isOpen = true;
  #said = '';

  constructor(child: ChildProcessWithoutNullStreams) {
    this.#child = child;
    this.ended = new Promise((resolve) => {
      child.on('error', (error) => {
        this.#fail(error.message);
        resolve();
      });
      child.on('close', (code, signal) => {
        this.#fail(printable(this.#said.trim()) || (signal ?? `exit ${code ?? ''}`));
        resolve();
      });
    });
    child.stdout.on('data', (chunk: Buffer) => {
      this.#receive(chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      if (this.#said.length < 2000) this.#said += chunk.toString('utf8');
    });
    // the close event reports how it ended
    child.stdin.on('error', () => undefined);
  }

  ask(names: readonly string[], take: (chunk: Buffer) => AnswerState): Promise<AnswerState> {
    return new Promise((resolve, reject) => {
      const end = (how: AnswerState | Error) => {
        this.#question = null;
        clearTimeout(this.#timer);
        if (how instanceof Error) reject(how);
        else resolve(how);
      };
      this.#timer = setTimeout(() => {
        this.kill();
      }, TIMEOUT_MS);
      this.#question = { take, end };
      this.#child.stdin.write(`${names.join('\n')}\n`);
    });
  }

  /** Lets it end after a while without a question. */
  endIn(milliseconds: number): void {
    this.#timer = setTimeout(() => {
      this.#isOpen = false;
      this.#child.stdin.end();
    }, milliseconds);
  }

  /** @returns whether it can be asked again */
  reopen(): boolean {
    clearTimeout(this.#timer);
    return this.#isOpen;
  }

  /** Kills the process: its further output is of no use. */
  kill(): void {
    this.#child.kill('SIGKILL');
  }

  #fail(why: string): void {
    this.#isOpen = false;
    clearTimeout(this.#timer);
    this.#question?.end(new VadeError('repository_unreadable', `git cat-file failed: ${why}`));
  }

  #receive(chunk: Buffer): void {
    const asked = this.#question;
    if (asked === null) return;
    try {
      const wanted = asked.take(chunk);
      if (wanted !== 'more') asked.end(wanted);
    } catch (error) {
      asked.end(error as Error);
    }
  }
}
