import { afterAll } from 'vitest';
import { endFile } from './after-file.ts';

afterAll(endFile);

// vitest ends a process of tests by this signal; what is to be done at its exit, as removing a folder, would not be done
if (process.listenerCount('SIGTERM') === 0) {
  process.once('SIGTERM', () => {
    process.exit(143);
  });
}
