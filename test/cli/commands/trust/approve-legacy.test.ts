import { describe, expect, test } from 'vitest';
import { agentYaml } from '../../../support/repository.ts';
import { approve, BY, filed, GUARANTEE, staffed, toldBy } from '../../../support/staffed.ts';
import { failure } from '../../failing.ts';

const PATH = 'docs/limits.md';
const CTO = '8e0ed057-bcd8-4f8f-92ee-c046c55b64e9';

/** A deployment whose cto has a guaranteed unit that only names a legacy file. */
const migrating = (mode = 'migration_mode: file\n') =>
  staffed((repo) =>
    repo
      .write('instructions/agents/cto/agent.yaml', agentYaml(CTO, mode))
      .write(
        'instructions/agents/cto/limits.md',
        `---\ndescription: What never to do\npath: ${PATH}\nguarantee_load: true\n---\n`,
      )
      .write(PATH, 'Never, as of old.\n'),
  );

describe('DESIGN §7, §21.6.1 a legacy file that replaces a guaranteed unit', () => {
  test('a legacy file is approved with its unit, and again after a change; the bundle verifies', async () => {
    const place = migrating();
    expect(toldBy(await place.compile())).toEqual(['guarantee_approval_required']);
    for (const text of [null, '\ufeffNot once.\r\n']) {
      if (text !== null) place.repo.write(PATH, text).commit('change');
      expect(toldBy(await place.compile())).toContain('guarantee_approval_required');
      expect((await approve(place, place.ann, ...GUARANTEE, ...place.trust)).code).toBe(0);
      place.repo.commit('approve', undefined, BY.ann);
      expect((await place.compile()).code).toBe(0);
      expect((await place.run(['verify', ...place.trust])).code).toBe(0);
    }
    expect(filed(place)).toHaveLength(2);
  });

  test('a legacy file is not approved by its authors, nor by authors of its earlier text', async () => {
    const place = migrating();
    for (const author of [BY.ann, BY.ada]) {
      place.repo.write(PATH, `By ${author}.\n`).commit('change', undefined, author);
      const ran = await approve(place, place.ann, ...GUARANTEE, ...place.trust);
      expect(failure(ran)).toEqual([4, 'APPROVAL_REQUIRED']);
    }
    expect((await approve(place, place.bob, ...GUARANTEE, ...place.trust)).code).toBe(0);
  });

  test('a legacy file that cannot be served is not approved', async () => {
    for (const place of [migrating(''), migrating()]) {
      place.repo.remove(PATH).commit('remove');
      expect(failure(await approve(place, place.ann, ...GUARANTEE))).toEqual([4, 'SOURCES_INVALID']);
      expect(filed(place)).toEqual([]);
    }
  });
});
