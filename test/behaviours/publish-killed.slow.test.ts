import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { failure } from '../cli/failing.ts';
import { entries, press, uri, type Press } from '../cli/publishing.ts';

describe('a killed publication', () => {
  test('a publication that is killed leaves branch and bundle complete, and the next run updates the bundle', async () => {
    const to = await press();
    let version = 1;
    const killed: string[] = [];
    for (const [moment, place] of MOMENTS) {
      const input = {
        version: `v${version + 1}`,
        entries: entries({ deploy: { description: `How to ship: ${moment}` } }),
      };
      const before = new Set(namesIn(to, place));
      const isDue = () => namesIn(to, place).some((it) => !before.has(it));
      if ((await to.cut(withFact(input, version), isDue)) === 'SIGKILL') killed.push(moment);
      version = Number(to.git('rev-list', '--count', 'main'));
      const proof = await to.place.run(['verify', '--bundle', join(to.folder, 'bundle'), ...to.place.trust]);
      expect([moment, proof.code]).toEqual([moment, 0]);
    }
    expect(killed).toContain('its commit is made');
    expect(failure(await to.publish({ version: 'v99', entries: [] }))).toEqual([6, 'MANIFEST_VERSION_CONFLICT']);
    const fresh = await to.place.run(['compile', '--repo', to.bare, '--ref', 'main', ...to.signed, '--dry-run']);
    expect(to.current()).toBe(fresh.envelope().data['revision']);
  });
});

/** Steps of a publication in their order, each with the place where something appears with it. */
const MOMENTS: readonly (readonly [moment: string, place: string])[] = [
  ['its commit is made', 'handbook.git/objects'],
  ['the branch is moved', 'handbook.git/refs/heads'],
  ['a bundle is begun', 'bundle'],
  ['a garden is written', 'bundle/gardens/cto'],
  ['the root is written', 'bundle/roots'],
];

/** Names in a place; a branch counts by its commit. */
function namesIn({ folder }: Press, place: string): string[] {
  const names = readdirSync(join(folder, place));
  if (!place.endsWith('refs/heads')) return names;
  return names.flatMap((it) => (it === 'main' ? readFileSync(join(folder, place, it), 'utf8') : []));
}

/** The version of `deploy` goes up with the manifest's here. */
function withFact(input: { version: string; entries: object[] }, version: number) {
  const fact_uri = uri('deploy', version);
  return { ...input, entries: input.entries.map((it) => ('description' in it ? { ...it, fact_uri } : it)) };
}
