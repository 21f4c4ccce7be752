import cluster, { type Worker } from 'node:cluster';
import type { Logger } from 'pino';
import { ERRORS, VadeError, type ErrorCode } from '../../compiler/schema/errors.ts';
import type { Questions, Told } from './messages.ts';
import { openChannel, type Answers, type Channel } from './questions.ts';

export interface CrewOptions {
  /** The program of a worker, and its arguments. */
  readonly program: { readonly file: string; readonly args: readonly string[] };
  /** How long a worker may take to end, in milliseconds. */
  readonly endMs: number;
  /** What this process answers to one of the workers. */
  readonly answersTo: (asking: Member) => Answers;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Logger;
}

/** A running worker. */
export interface Member {
  readonly worker: Worker;
  readonly channel: Channel;
  /** When it was started. */
  readonly since: number;
  isServing: boolean;
}

/** A worker that ended by itself is replaced after this time, in milliseconds; doubled while workers end early. */
const REPLACE_MS = [100, 10_000] as const;
const EARLY_MS = 10_000;

/** The workers of a server; each that ends by itself is replaced. */
export class Crew {
  readonly #options: CrewOptions;
  readonly #members = new Set<Member>();
  #isEnding = false;
  #wait: number = REPLACE_MS[0];

  constructor(options: CrewOptions) {
    this.#options = options;
    cluster.setupPrimary({
      exec: options.program.file,
      args: [...options.program.args],
      // what a command prints is printed once, by this process
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
  }

  /** The process ids of the workers. */
  get pids(): readonly number[] {
    return [...this.#members].flatMap((it) => it.worker.process.pid ?? []);
  }

  /**
   * Starts a worker; from then on it is replaced whenever it ends by itself.
   *
   * @returns the address that it listens on
   * @throws its error, if it cannot start
   */
  start(): Promise<string> {
    const worker = cluster.fork();
    const send = (message: object) => void worker.send(message, () => undefined);
    const member: Member = {
      worker,
      since: this.#options.now(),
      isServing: false,
      // the answers know who asks
      channel: openChannel(
        send,
        lazily(() => this.#options.answersTo(member)),
      ),
    };
    this.#members.add(member);
    return new Promise((resolve, reject) => {
      worker.on('message', (message: unknown) => {
        if (!isTold(message)) member.channel.take(message);
        else if (message.told === 'failed') reject(errorOf(message));
        else {
          member.isServing = true;
          resolve(message.url);
        }
      });
      worker.once('exit', (code: number | null, signal: string | null) => {
        reject(new VadeError('internal', `a worker ended before it served: ${signal ?? String(code)}`));
        this.#onGone(member, { code, signal });
      });
    });
  }

  /** The answers of the workers that answer; one that ends meanwhile has nothing to say. */
  async askAll<K extends keyof Questions>(what: K, given: Questions[K][0], except: Member | null = null) {
    const asked = [...this.#members].filter((it) => it !== except && it.isServing);
    const settled = await Promise.allSettled(asked.map((it) => it.channel.ask(what, given)));
    return settled.flatMap((it) => (it.status === 'fulfilled' ? [it.value] : []));
  }

  /** Ends all workers, each after its open requests; one that does not end is killed. */
  async end(): Promise<void> {
    this.#isEnding = true;
    await Promise.all([...this.#members].map((it) => this.#endOne(it)));
  }

  async #endOne({ worker, channel }: Member): Promise<void> {
    const gone = new Promise((resolve) => worker.once('exit', resolve));
    const timer = setTimeout(() => worker.process.kill('SIGKILL'), this.#options.endMs);
    await channel.ask('end', null).catch(() => undefined);
    if (!worker.isDead()) await gone;
    clearTimeout(timer);
  }

  #onGone(member: Member, how: object): void {
    this.#members.delete(member);
    member.channel.close();
    // a first start that fails is told to the operator, who has nothing to serve then
    if (this.#isEnding || !member.isServing) return;
    this.#options.log.error({ pid: member.worker.process.pid, ...how }, 'a worker ended by itself; another one starts');
    this.#replace(member.since);
  }

  #replace(since: number): void {
    const { now } = this.#options;
    this.#wait = now() - since < EARLY_MS ? Math.min(this.#wait * 2, REPLACE_MS[1]) : REPLACE_MS[0];
    setTimeout(() => void this.#startAgain(), this.#wait).unref();
  }

  async #startAgain(): Promise<void> {
    if (this.#isEnding) return;
    const { log, now } = this.#options;
    const since = now();
    try {
      await this.start();
      log.info({ workers: this.pids }, 'the worker was replaced');
    } catch (error) {
      log.error({ reason: error instanceof Error ? error.message : '' }, 'a worker cannot start; trying again');
      this.#replace(since);
    }
  }
}

/** Answers that are made when the first of them is wanted. */
function lazily(make: () => Answers): Answers {
  let made: Answers | null = null;
  return new Proxy({}, { get: (_, what) => (made ??= make())[what as keyof Answers] });
}

function isTold(message: unknown): message is Told {
  return typeof message === 'object' && message !== null && 'told' in message;
}

/** The error of a worker, as if this process had met it. */
function errorOf({ code, message }: { readonly code: string; readonly message: string }): VadeError {
  return new VadeError(code in ERRORS ? (code as ErrorCode) : 'internal', message);
}
