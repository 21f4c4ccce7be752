import { existsSync } from 'node:fs';
import { z } from 'zod';
import { readIfThere } from '../../compiler/io/files/file.ts';
import { VadeError } from '../../compiler/schema/errors.ts';
import { Digest } from '../../compiler/schema/primitives.ts';

/** The newest bundle of each deployment that was ever served from here. */
export const RollbackMemoryFile = z.strictObject({
  format: z.literal(1),
  deployments: z.record(
    z.string(),
    z.strictObject({ serial: z.int().positive(), revision: z.string(), digest: Digest }),
  ),
});

const NONE: z.infer<typeof RollbackMemoryFile> = { format: 1, deployments: {} };

const MAX_SEEN_BYTES = 1024 * 1024;

/** Where the memory lies, beside the audit. */
export const rollbackMemoryPath = (state: string) => `${state}.seen.json`;

/** What there is of the memory, beside an audit that answered from bundles. */
export type RollbackMemory = 'kept' | 'older' | 'missing' | 'damaged';

/**
 * Whether the memory is there that keeps an older bundle from being served, and is not older than what was answered from.
 *
 * @param serial the highest of a bundle that the audit's answers came from; 0 where there are none
 */
export function rollbackMemory(path: string, serial: number): RollbackMemory {
  if (!existsSync(path)) return serial > 0 ? 'missing' : 'kept';
  try {
    const known = Object.values(readRollbackMemory(path).deployments).map((it) => it.serial);
    return Math.max(0, ...known) < serial ? 'older' : 'kept';
  } catch {
    return 'damaged';
  }
}

export function readRollbackMemory(path: string): z.infer<typeof RollbackMemoryFile> {
  try {
    const bytes = readIfThere(path, MAX_SEEN_BYTES);
    return bytes === null ? NONE : RollbackMemoryFile.parse(JSON.parse(bytes.toString('utf8')));
  } catch {
    throw new VadeError('output_failed', `${path} cannot be read; it says which bundle was served last`);
  }
}
