import { onTestFinished, TestRunner } from 'vitest';

/** Functions that end what the running test file has made or opened. */
const ends: (() => unknown)[] = [];

/**
 * Ends something when the test file is done. A module that calls `afterAll` itself would end only what the first file
 * of a process has opened: files that share a process share its modules, and each module runs once.
 */
export function afterFile(end: () => unknown): void {
  ends.push(end);
}

/** Ends something when the running test is done, such as a server that polls; with the file where no test runs yet. */
export function afterTest(end: () => Promise<void>): void {
  (TestRunner.getCurrentTest() === undefined ? afterFile : onTestFinished)(end);
}

/** Ends everything, the last first. @throws the first error, once all were tried */
export async function endFile(): Promise<void> {
  const errors: unknown[] = [];
  for (const end of ends.splice(0).reverse()) {
    try {
      await end();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}
