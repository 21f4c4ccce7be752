import { basename, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadGarden, loadShared } from '../../compiler/io/bundle/load-garden.ts';
import { openBundle } from '../../compiler/io/bundle/open-bundle.ts';
import { countTokens } from '../../compiler/io/models/tokens.ts';
import { pointerText } from '../../compiler/schema/page-text.ts';
import { pinnedRoot } from '../../compiler/world/trust-keys.ts';
import type { Repository } from '../support/repository.ts';
import { worldIn } from '../support/world.ts';
import * as inPlace from './skills-in-place.ts';
import { hasSkills, skills } from './skills.ts';

/** The facts of the skills of a repository. */
function skillFacts({ path }: Repository) {
  const at = worldIn(path, new Date());
  const pinned = pinnedRoot({ trust: undefined, dev: true }, at);
  const bundle = openBundle(join(path, 'bundle'), { pinned, now: at.now().toISOString() });
  const { facts } = loadGarden(bundle, inPlace.AGENT, loadShared(bundle)).recall;
  return facts.filter(({ skill }) => skill !== undefined);
}

describe.runIf(hasSkills())('181 skills where they lie', () => {
  let repo: Repository;

  beforeAll(async () => {
    repo = inPlace.skillsRepository();
    await inPlace.startHandbook(repo);
  }, 120_000);

  test('two commands make a unit of each, but for two at most', () => {
    expect(skills().length).toBe(181);
    expect(skillFacts(repo).length).toBeGreaterThanOrEqual(179);
  });

  test('a description is shown in 60 tokens, and a pointer has at most 90', () => {
    for (const { name, version, delivery, skill } of skillFacts(repo)) {
      const { folder = '' } = skill ?? {};
      expect(countTokens(delivery.description), name).toBeLessThanOrEqual(60);
      for (const listedName of [basename(folder), null]) {
        const page = { name, version: `v${version}`, content: delivery.description };
        expect(countTokens(pointerText(page, { folder, listedName })), name).toBeLessThanOrEqual(90);
      }
    }
  });
});
