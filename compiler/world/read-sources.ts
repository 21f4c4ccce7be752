import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { openSources, type SourceOptions } from '../io/git/open-sources.ts';
import { unversionedSources } from '../io/git/unversioned-sources.ts';
import { countTokens } from '../io/models/tokens.ts';
import { sourcesMissing, type Sources } from '../schema/source/sources.ts';
import { withSkills } from '../sources/skills/with-skills.ts';
import type { Arguments } from './flags/flag.ts';
import type { PROBE } from './flags/quality.ts';
import type { World } from './world.ts';

/** The sources to read, for commands that do not compile. */
export type SourceFlags = Pick<Arguments<typeof PROBE>, 'repo' | 'source' | 'ref'>;

/**
 * Opens the sources at a git ref. The output names their repository, because it may be another than the reader of a log
 * expects.
 */
export async function openSourcesAt(options: SourceOptions, world: World): Promise<Sources> {
  const sources = await openSources(options);
  if (sources.repository !== null) {
    world.note({ repository: sources.repository });
    world.say([`repository ${sources.repository} at ${sources.commit}`]);
  }
  return withSkills(sources, countTokens);
}

/** The sources at a commit or, without a ref, in the working tree. @throws source_not_found, ref_not_found */
export async function readSources({ repo: given, source: folder, ref }: SourceFlags, world: World): Promise<Sources> {
  const repo = resolve(world.cwd, given);
  if (!existsSync(resolve(repo, folder))) throw sourcesMissing(folder, given);
  return ref === undefined
    ? withSkills(unversionedSources({ repo, folder }), countTokens)
    : openSourcesAt({ repo, folder, ref, lenient: true }, world);
}
