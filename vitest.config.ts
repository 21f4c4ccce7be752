import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { projectsOf } from './test/support/projects.ts';
import { quickFolder } from './test/support/quick-folder.ts';

const { pure, integration, isolated, slow, slowIsolated } = projectsOf(import.meta.dirname);
const countCosts = process.env['VADE_TEST_COSTS'] !== undefined;

/** Settings of the projects of slow tests alone, which begin when the others are done. */
const SLOW = {
  globalSetup: ['test/support/build.ts', 'test/support/shared-postgres.ts'],
  sequence: { groupOrder: 1 },
};

/** A project of tests; `test/support/projects.ts` says what belongs to which. */
const project = (
  name: string,
  include: readonly string[],
  { setupFiles = [], ...more }: Partial<typeof SLOW> & { isolate?: boolean; setupFiles?: string[] } = {},
) => ({
  extends: true as const,
  test: {
    name,
    include: [...include],
    env: { TMPDIR: quickFolder() },
    globalSetup: ['test/support/build.ts'],
    setupFiles: [
      'test/support/seed.ts',
      ...(countCosts ? ['test/support/costs/measure.ts'] : []),
      'test/support/leave-nothing.ts',
      ...setupFiles,
    ],
    ...more,
  },
});

export default defineConfig({
  test: {
    reporters: ['default', './test/support/tally.ts', ...(countCosts ? ['./test/support/costs/report.ts'] : [])],
    // tests wait for servers, databases and processes some of the time: one more than cores
    maxWorkers: availableParallelism() + 1,
    // test files end soon, so V8 optimises less; later versions lack the first flag, and refuse to start
    execArgv: process.versions.v8.startsWith('11.')
      ? ['--interrupt-budget=400000', '--max-inlined-bytecode-size-cumulative=300']
      : [],
    // ends what hangs; how fast anything is stands in the benchmarks
    testTimeout: 300_000,
    hookTimeout: 480_000,
    // each project would transform all sources anew; the key is a digest of the text and of this configuration
    experimental: { fsModuleCache: true, fsModuleCachePath: '.cache/vitest' },
    projects: [
      project('pure', pure, {
        isolate: false,
        setupFiles: ['test/support/no-processes.ts'],
        globalSetup: [],
      }),
      ...integration.map((files, at) => project(`integration-${at + 1}`, files, { isolate: false })),
      project('integration-isolated', isolated),
      ...slow.map((files, at) => project(`slow-${at + 1}`, files, { isolate: false, ...SLOW })),
      project('slow-isolated', slowIsolated, SLOW),
    ],
  },
});
