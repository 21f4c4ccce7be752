import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/build.ts'],
    setupFiles: ['test/support/seed.ts'],
    reporters: ['default', './test/support/tally.ts'],
    // ends what hangs; how fast anything is stands in the benchmarks
    testTimeout: 180_000,
    hookTimeout: 240_000,
  },
});
