import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { failure } from '../cli/failing.ts';
import { entries, press, uri } from '../cli/publishing.ts';

describe('a publication that is killed', () => {
  test('a publication that is killed at any moment leaves branch and bundle whole, and the next run updates the bundle', async () => {
    const to = await press();
    let version = 1;
    for (const delay of [300, 700, 900, 1000, 1100]) {
      const input = {
        version: `v${version + 1}`,
        entries: entries({ deploy: { description: `How to ship ${delay}` } }),
      };
      await to.cut(withFact(input, version), delay);
      version = Number(to.git('rev-list', '--count', 'main'));
      const proof = await to.place.run(['verify', '--bundle', join(to.folder, 'bundle'), ...to.place.trust]);
      expect([delay, proof.code]).toEqual([delay, 0]);
    }
    expect(failure(await to.publish({ version: 'v99', entries: [] }))).toEqual([6, 'MANIFEST_VERSION_CONFLICT']);
    const fresh = await to.place.run(['compile', '--repo', to.bare, '--ref', 'main', ...to.signed, '--dry-run']);
    expect(to.current()).toBe(fresh.envelope().data['revision']);
  });
});

/** The version of `deploy` goes up with the manifest's here. */
function withFact(input: { version: string; entries: object[] }, version: number) {
  const fact_uri = uri('deploy', version);
  return { ...input, entries: input.entries.map((it) => ('description' in it ? { ...it, fact_uri } : it)) };
}
