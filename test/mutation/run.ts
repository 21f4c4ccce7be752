import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Judged } from './judged.ts';
import { instrument, type Mutant } from './mutants.ts';
import { PLAN, type Answer, type Plan } from './plan.ts';
import { nearestFirst } from './rooms.ts';

interface Room {
  readonly root: string;
  readonly mutants: readonly Mutant[];
  readonly tests: readonly string[];
  readonly say: (line: string) => void;
}

/** How a process came to its end: passed, failed, or was ended. */
type Ended = 'done' | 'failed' | 'hung' | 'stopped';

const START_MS = 240_000;
/** Time that a process of its own may take besides its tests. */
const ALONE_MS = 60_000;
/** As many of the nearest files of tests judge a mutant in a process of its own. */
const ALONE_FILES = 4;

/** Tries every mutant of a room: all by one file of tests after the other, then the rest in a process each. */
export async function judgeMutants(room: Room): Promise<Judged[]> {
  const cache = join(room.root, '.cache');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, 'mutants-'));
  try {
    return await new Trial(room, folder).judge();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

class Trial {
  readonly #room: Room;
  readonly #folder: string;
  readonly #sources: Record<string, string>;
  readonly #killed = new Map<number, string>();
  /** The files of tests that run a mutant. */
  readonly #reached = new Map<number, Set<string>>();
  /** Time that each file of tests takes, in milliseconds. */
  readonly #took = new Map<string, number>();
  /** Mutants that need a process of their own: those that run when modules load, and those that spoil a process. */
  readonly #alone = new Set<number>();

  constructor(room: Room, folder: string) {
    this.#room = room;
    this.#folder = folder;
    this.#sources = sourcesWithSwitches(room);
  }

  async judge(): Promise<Judged[]> {
    const { mutants, tests, say } = this.#room;
    for (const [at, test] of tests.entries()) {
      const before = this.#killed.size;
      const started = Date.now();
      await this.#tryFile(test);
      const seconds = Math.round((Date.now() - started) / 1000);
      say(
        `${at + 1}/${tests.length} ${test}: ${this.#killed.size - before} killed, ${this.#left().length} left, ${seconds} s`,
      );
      if (this.#left().length === 0) break;
    }
    for (const id of this.#left()) if (this.#alone.has(id)) await this.#tryAlone(id);
    return mutants.map((mutant, id) => ({
      mutant,
      killed: this.#killed.get(id) ?? null,
      reached: this.#reached.has(id),
    }));
  }

  #left(): number[] {
    return [...this.#room.mutants.keys()].filter((id) => !this.#killed.has(id));
  }

  /** Mutants that a process could not judge fairly wait for a process of their own. */
  async #tryFile(test: string): Promise<void> {
    const tried = new Set<number>();
    for (let before = -1; before < tried.size;) {
      before = tried.size;
      const ids = this.#left().filter((id) => !tried.has(id));
      const ended = await this.#process({ tests: [test], ids, alone: false }, (answer, limit) => {
        if (answer.is === 'base') {
          limit(answer.ms * 10 + 6_000);
          this.#took.set(test, answer.ms);
          this.#place(answer, test);
        } else tried.add(answer.id);
        if (answer.is === 'end' && answer.killed !== null) this.#killed.set(answer.id, `${test}: ${answer.killed}`);
        if (answer.is === 'spoilt') this.#alone.add(answer.id);
        return answer.is !== 'spoilt';
      });
      if (ended === 'hung') this.#hang(test, tried);
      if (ended === 'done') return;
    }
  }

  /** The mutant that was tried last hangs. */
  #hang(test: string, tried: ReadonlySet<number>): void {
    const last = [...tried].at(-1);
    if (last === undefined) throw new Error(`${test} hangs without any mutant`);
    this.#killed.set(last, `${test}: out of time`);
  }

  /** Notes what a file of tests runs, before any mutant is on. */
  #place({ passes, hit, early }: Answer & { is: 'base' }, test: string): void {
    for (const id of [...hit, ...early]) this.#reached.set(id, (this.#reached.get(id) ?? new Set()).add(test));
    for (const id of passes ? early : hit) this.#alone.add(id);
    if (!passes) this.#room.say(`${test} does not pass twice in one process: each of its mutants takes one`);
  }

  /** From the start of a process, as constants of modules and what modules keep need it. */
  async #tryAlone(id: number): Promise<void> {
    const { path = '' } = this.#room.mutants[id] ?? {};
    const tests = nearestFirst(path, this.#reached.get(id) ?? []).slice(0, ALONE_FILES);
    const most = ALONE_MS + 5 * tests.reduce((all, test) => all + (this.#took.get(test) ?? 0), 0);
    const ended = await this.#process({ tests, ids: [id], alone: true }, () => true, most);
    if (ended !== 'done') this.#killed.set(id, ended === 'hung' ? 'out of time' : 'in a process of its own');
  }

  async #process(
    asked: Pick<Plan, 'tests' | 'ids' | 'alone'>,
    heard: (answer: Answer, limit: (ms: number) => void) => boolean,
    most = START_MS,
  ): Promise<Ended> {
    const answers = join(this.#folder, 'answers');
    const file = join(this.#folder, 'plan.json');
    const { root, mutants } = this.#room;
    const plan: Plan = { root, sources: this.#sources, count: mutants.length, answers, ...asked };
    writeFileSync(file, JSON.stringify(plan));
    writeFileSync(answers, '');
    const child = spawn(
      process.execPath,
      ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/mutation/vitest.config.ts'],
      {
        cwd: root,
        env: { ...process.env, [PLAN]: file },
        stdio: ['ignore', 'ignore', 'pipe'],
        detached: true,
      },
    );
    return await listen(child, answers, most, heard);
  }
}

/** Follows the answers of a process, and ends it where it is silent for too long or of no more use. */
async function listen(
  child: ChildProcess,
  answers: string,
  most: number,
  heard: (answer: Answer, limit: (ms: number) => void) => boolean,
): Promise<Ended> {
  let limit = most;
  let last = Date.now();
  let read = 0;
  // a signal to this run does not reach a group of its own
  const onExit = () => {
    end('stopped');
  };
  process.once('exit', onExit);
  const state: { ended: Ended | null } = { ended: null };
  const closed = new Promise<number | null>((done) => child.on('close', done));
  child.stderr?.resume();
  const end = (how: 'hung' | 'stopped') => {
    state.ended ??= how;
    // only what this run started: the group of this child
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL');
  };
  const look = () => {
    const lines = readFileSync(answers, 'utf8').split('\n').slice(0, -1);
    for (const line of lines.slice(read)) {
      last = Date.now();
      if (!heard(JSON.parse(line) as Answer, (ms) => (limit = ms))) end('stopped');
    }
    read = lines.length;
    if (state.ended === null && Date.now() - last > limit) end('hung');
  };
  const timer = setInterval(look, 200);
  const code = await closed;
  clearInterval(timer);
  process.off('exit', onExit);
  if (state.ended === null) look();
  return state.ended ?? (code === 0 ? 'done' : 'failed');
}

function sourcesWithSwitches({ root, mutants }: Room): Record<string, string> {
  const paths = [...new Set(mutants.map(({ path }) => path))].filter((path) => existsSync(join(root, path)));
  return Object.fromEntries(
    paths.map((path) => {
      const own = new Map([...mutants.entries()].filter(([, mutant]) => mutant.path === path));
      return [resolve(root, path), instrument(readFileSync(join(root, path), 'utf8'), own)];
    }),
  );
}
