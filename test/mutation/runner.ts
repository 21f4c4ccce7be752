import { appendFileSync } from 'node:fs';
import { TestRunner } from 'vitest';
// no public entry of vitest starts the same files again in one process
import { startTests } from 'vitest/internal/browser';
import { readPlan, type Answer } from './plan.ts';

type File = Awaited<ReturnType<typeof startTests>>[number];
type Task = File['tasks'][number];
type Test = Exclude<Task, { type: 'suite' }>;

const plan = readPlan();
const NONE = -1;

/** The switches of this process: which mutant is on, and which were asked since when. */
const switches = {
  on: plan.alone ? (plan.ids[0] ?? NONE) : NONE,
  asked: new Uint8Array(plan.count),
  calls: 0,
  most: Number.POSITIVE_INFINITY,
};

Object.assign(globalThis, {
  vadeMutant: (id: number): boolean => {
    switches.asked[id] = 1;
    switches.calls += 1;
    if (switches.calls > switches.most) throw new Error('this mutant goes round and round');
    return id === switches.on;
  },
});

const answer = (it: Answer) => {
  appendFileSync(plan.answers, `${JSON.stringify(it)}\n`);
};

let unhandled: string | null = null;
for (const event of ['unhandledRejection', 'uncaughtException'] as const)
  process.on(event, (error: unknown) => (unhandled = String(error)));

/** Runs each file of tests as it is, then once for every mutant, in the same process with the tests that ask for it. */
export default class MutationRunner extends TestRunner {
  #early: number[] = [];

  onCollected(): void {
    this.#early = takeAsked();
  }

  // the runner awaits it; its type does not say so
  // oxlint-disable-next-line typescript/no-misused-promises
  override async onAfterRunFiles(files?: File[]): Promise<void> {
    super.onAfterRunFiles();
    const path = files?.[0]?.filepath;
    if (path === undefined || plan.alone) return;
    const base = await this.#again(path, {});
    const asked = base.asked;
    const hit = plan.ids.filter((id) => base.shared.has(id) || [...asked.values()].some((it) => it.has(id)));
    answer({ is: 'base', passes: base.killed === null, ms: base.ms, hit, early: this.#early });
    if (base.killed !== null) return;
    for (const id of hit) {
      const tests = base.shared.has(id) ? undefined : [...asked].filter(([, it]) => it.has(id)).map(([test]) => test);
      if (!(await this.#judge(path, id, base.calls, tests))) return;
    }
  }

  /** @returns false where this process is of no more use */
  async #judge(path: string, id: number, calls: number, tests?: string[]): Promise<boolean> {
    answer({ is: 'start', id });
    const { killed, by } = await this.#again(path, { id, most: calls * 50 + 1_000_000, ...(tests && { tests }) });
    if (killed !== null) {
      const clean = await this.#again(path, by === null ? {} : { tests: [by] });
      if (clean.killed !== null) {
        answer({ is: 'spoilt', id });
        return false;
      }
    }
    answer({ is: 'end', id, killed });
    return true;
  }

  /** Runs a file once more: its modules stay loaded, the file itself is evaluated anew. */
  async #again(path: string, { id = NONE, tests, most }: { id?: number; tests?: string[]; most?: number }) {
    takeAsked();
    const inner = new Again(this);
    unhandled = null;
    Object.assign(switches, { on: id, calls: 0, most: most ?? Number.POSITIVE_INFINITY });
    const started = performance.now();
    const [file] = await startTests([{ filepath: path, ...(tests && { testIds: tests }) }], inner.runner);
    await new Promise(setImmediate);
    const { calls } = switches;
    Object.assign(switches, { on: NONE, calls: 0, most: Number.POSITIVE_INFINITY });
    const by = inner.failed ?? null;
    const failed = by?.name ?? (file?.result?.state === 'fail' ? 'its file' : unhandled);
    for (const rest of takeAsked()) inner.shared.add(rest);
    return {
      killed: failed,
      by: by?.id ?? null,
      ms: performance.now() - started,
      calls,
      asked: inner.asked,
      shared: inner.shared,
    };
  }
}

/** A runner that tells nobody, stops at the first failure, and notes which test asks for which mutant. */
class Again {
  readonly asked = new Map<string, Set<number>>();
  /** Asked outside any test: when the file is evaluated, and by hooks. */
  readonly shared = new Set<number>();
  readonly runner: MutationRunner;
  failed: Test | undefined;

  constructor(outer: MutationRunner) {
    const silent = () => Promise.resolve();
    this.runner = Object.assign(Object.create(outer) as MutationRunner, {
      cancelRun: false,
      onTaskUpdate: silent,
      onCollected: silent,
      onAfterRunFiles: silent,
      onCollectStart: (file: File) => {
        fieldsOf(outer).workerState.current = file;
      },
      importFile: (path: string, source: 'collect' | 'setup') => {
        const modules = fieldsOf(outer).workerState.evaluatedModules;
        const node = modules.getModuleById(path);
        if (source === 'collect' && node) modules.invalidateModule(node);
        return outer.importFile(path, source);
      },
      onAfterRunSuite: () => undefined,
      onBeforeTryTask: (test: Test) => {
        for (const id of takeAsked()) this.shared.add(id);
        outer.onBeforeTryTask(test);
      },
      onAfterRunTask: (test: Test) => {
        this.asked.set(test.id, new Set(takeAsked()));
        if (test.result?.state !== 'fail') return;
        this.failed ??= test;
        (this.runner as unknown as { cancelRun: boolean }).cancelRun = true;
      },
    });
  }
}

interface Fields {
  readonly workerState: {
    current: unknown;
    readonly evaluatedModules: { getModuleById: (id: string) => unknown; invalidateModule: (node: unknown) => void };
  };
}

const fieldsOf = (runner: unknown) => runner as Fields;

/** Switches that were asked since the last call. */
function takeAsked(): number[] {
  const taken: number[] = [];
  switches.asked.forEach((it, id) => {
    if (it === 1) taken.push(id);
  });
  switches.asked.fill(0);
  return taken;
}
