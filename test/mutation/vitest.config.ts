import { defineConfig } from 'vitest/config';
import { projectsOf } from '../support/projects.ts';

const root = `${import.meta.dirname}/../..`;
const { pure } = projectsOf(root);

/** The pure tests of rooms: those that stand directly in `test/`, and a few folders, read the whole tree. */
const isOfRoom = (path: string) => path.split('/').length > 2 && !/^test\/(bench|documents|corpus|golden)\//.test(path);

export default defineConfig({
  root,
  test: {
    include: pure.filter(isOfRoom),
    setupFiles: ['test/support/seed.ts', 'test/support/no-processes.ts'],
    isolate: false,
    testTimeout: 60_000,
  },
});
