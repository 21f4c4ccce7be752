import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createFile } from '../io/files/durable.ts';
import { messageOf, VadeError } from '../schema/errors.ts';
import { readActionAddress, workflowFiles } from './workflow-files.ts';

/** The workflows of a folder: those that it lacks, and those that stay as they are. */
export interface Workflows {
  readonly added: ReadonlyMap<string, string>;
  readonly kept: readonly string[];
}

/** @param action `owner/repository@<commit>` @throws argument_invalid */
export function missingWorkflows(folder: string, action: string): Workflows {
  const address = readActionAddress(action);
  if (address === null) {
    const message = `--action must be owner/repository@<commit>, with all 40 digits of the commit`;
    const suggestion = 'a branch or a tag can name other code tomorrow: git rev-parse <tag> prints its commit';
    throw new VadeError('argument_invalid', message, { flag: 'action', suggestion });
  }
  const files = [...workflowFiles(address)];
  const isThere = ([path]: readonly [string, string]) => existsSync(join(folder, path));
  return { added: new Map(files.filter((it) => !isThere(it))), kept: files.filter(isThere).map(([path]) => path) };
}

/** @throws output_failed, already_exists */
export function writeWorkflows(folder: string, { added }: Workflows): void {
  try {
    for (const [path, text] of added) createFile(join(folder, path), text, { folders: true });
  } catch (error) {
    if (error instanceof VadeError) throw error;
    throw new VadeError('output_failed', `the workflows cannot be written: ${messageOf(error)}`);
  }
}
