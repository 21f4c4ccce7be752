import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { VadeError } from '../../schema/errors.ts';
import type { World } from '../../world/world.ts';

/** The absolute path of a file to create. @throws already_exists */
export function unusedPath(given: string, { cwd }: World): string {
  const path = resolve(cwd, given);
  if (existsSync(path)) throw new VadeError('already_exists', `${given} already exists`);
  return path;
}
