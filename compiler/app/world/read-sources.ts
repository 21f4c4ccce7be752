import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { unversionedSources } from '../../io/files/unversioned-sources.ts';
import { openSources, type SourceOptions } from '../../io/git/open-sources.ts';
import { printable } from '../../schema/diagnostics.ts';
import { sourcesMissing, type Sources } from '../../schema/source/sources.ts';
import type { World } from './world.ts';

/** Where sources are read from by what asks, and compiles nothing. */
export interface SourceFlags {
  readonly repo: string;
  readonly source: string;
  readonly ref: string | undefined;
}

/**
 * Sources at a git ref, as `openSources` opens them. The output names the repository that they come from: it may be
 * another than the reader of a log expects.
 */
export async function openNamed(options: SourceOptions, world: World): Promise<Sources> {
  const sources = await openSources(options);
  if (sources.repository !== null) {
    world.note({ repository: sources.repository });
    world.say(printable(`repository ${sources.repository} at ${sources.commit}`));
  }
  return sources;
}

/** The sources at a commit or, without one, as the files lie. @throws source_not_found, ref_not_found */
export async function readSources({ repo: given, source: folder, ref }: SourceFlags, world: World): Promise<Sources> {
  const repo = resolve(world.cwd, given);
  if (!existsSync(resolve(repo, folder))) throw sourcesMissing(folder, given);
  return ref === undefined
    ? unversionedSources({ repo, folder })
    : openNamed({ repo, folder, ref, lenient: true }, world);
}
