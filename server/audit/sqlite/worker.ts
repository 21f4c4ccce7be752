import { workerData } from 'node:worker_threads';
import { answerCalls } from '../../../compiler/io/process/thread-answers.ts';
import { openSqliteReader } from './reader.ts';
import type { FileOptions } from './store.ts';
import { openSqliteWriter } from './writer.ts';

// A thread that writes or reads the audit file, so that a slow disk or a lock does not block requests. It ends with the
// error if the file cannot be opened.
const { path, options } = workerData as FileOptions;
answerCalls(() => {
  const opened = options === null ? openSqliteReader(path) : openSqliteWriter(path, options);
  return { ...opened, opened: () => undefined };
});
