import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/build.ts'],
    setupFiles: ['test/support/seed.ts'],
    reporters: ['default', './test/support/tally.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
