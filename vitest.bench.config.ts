import { defineConfig } from 'vitest/config';

// the benchmarks measure the build that users run: some packages have a slower one for development
process.env['NODE_ENV'] = 'production';

/** `npm run bench`: figures and ratios, each measured in one run. No part of the tests. */
export default defineConfig({
  test: {
    include: ['test/**/*.bench.ts'],
    globalSetup: ['test/support/build.ts', 'test/bench/page/write-page.ts'],
    setupFiles: ['test/support/leave-nothing.ts'],
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 600_000,
    disableConsoleIntercept: true,
  },
});
