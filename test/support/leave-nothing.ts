import { afterAll } from 'vitest';
import { endFile } from './after-file.ts';

afterAll(endFile);

// vitest ends a process of tests by this signal; the work at its exit, such as removing a folder, would be left out
if (process.listenerCount('SIGTERM') === 0) {
  process.once('SIGTERM', () => {
    process.exit(143);
  });
}
