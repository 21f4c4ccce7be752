import { defineConfig } from 'vitest/config';
import { readPlan } from './plan.ts';

const plan = readPlan();

/** Tests of one room in one process, over sources with switches. */
export default defineConfig({
  root: plan.root,
  plugins: [
    {
      name: 'mutants',
      enforce: 'pre',
      transform: (code: string, id: string) => {
        const text = plan.sources[id.split('?')[0] ?? ''];
        return text === undefined ? { code } : { code: text, map: null };
      },
    },
  ],
  test: {
    include: [...plan.tests],
    setupFiles: ['test/support/seed.ts', 'test/support/leave-nothing.ts'],
    runner: './test/mutation/runner.ts',
    reporters: [{}],
    pool: 'forks',
    maxWorkers: 1,
    bail: plan.alone ? 1 : 0,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
