import { describe, expect, test } from 'vitest';
import { publish } from '../io/published.ts';
import { smallDeployment, unitFile, type Repository } from '../support/repository.ts';

const FILE = 'instructions/agents/cto/wrap-up.md';
const T = 1_770_000_000;
const iso = (seconds: number) => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
const text = (body: string) => unitFile('How to leave work', ['done for today'], '', body);

/** A deployment whose `wrap-up` went through these bytes, one commit each; null deletes it. */
function history(...states: (string | Buffer | null)[]): Repository {
  const repo = smallDeployment().remove(FILE);
  repo.commit('start', T);
  states.forEach((state, i) => {
    if (state === null) repo.remove(FILE);
    else repo.write(FILE, state);
    repo.commit(`state ${i}`, T + 60 * (i + 1));
  });
  return repo;
}

/** Versions of `wrap-up` with their content, as published. */
async function published(repo: Repository) {
  const { versions } = await publish(repo.path);
  return versions('wrap-up');
}

describe('§21.4.2 a version counts the changes of a path’s bytes', () => {
  test('each version is a fact, and its valid_until is the created_at of the next one', async () => {
    const [v1, v2, v3] = await published(history(text('One.'), text('Two.'), text('Three.')));
    expect([v1, v2, v3].map((it) => it?.uri)).toEqual([
      'instruction:acme/agent/cto/wrap-up/v1',
      'instruction:acme/agent/cto/wrap-up/v2',
      'instruction:acme/agent/cto/wrap-up/v3',
    ]);
    expect([v1, v2, v3].map((it) => it?.valid_until)).toEqual([v2?.created_at, v3?.created_at, null]);
    expect([v1, v2, v3].map((it) => it?.created_at)).toEqual([T + 60, T + 120, T + 180].map(iso));
  });

  test('version v10 follows v9, and is in force', async () => {
    const repo = history(...Array.from({ length: 10 }, (_, i) => text(`Step ${i}.`)));
    const { facts } = await publish(repo.path);
    expect(facts().find((it) => it.name === 'wrap-up')?.uri).toMatch(/\/v10$/);
  });

  test('a change of the file mode gives no new version', async () => {
    const repo = history(text('Fine.'));
    repo.git('update-index', '--chmod=+x', FILE);
    repo.git('commit', '--quiet', '--message', 'executable');
    expect(await published(repo)).toHaveLength(1);
  });

  test('another space in the front matter gives a new version with the same text', async () => {
    const [v1, v2] = await published(history(text('Fine.'), text('Fine.').replace('description: ', 'description:  ')));
    expect(v2?.digest).toBe(v1?.digest);
    expect(v2?.source_digest).not.toBe(v1?.source_digest);
    expect(v2?.version).toBe(2);
  });

  test('a deletion ends the last version, and has no fact', async () => {
    const { versions, facts } = await publish(history(text('One.'), null).path);
    expect(versions('wrap-up').map((it) => [it.version, it.valid_until])).toEqual([[1, iso(T + 120)]]);
    expect(facts().map((it) => it.name)).toEqual(['heartbeat']);
  });

  test('an older version that could not be parsed today is a fact', async () => {
    const facts = await published(history('No front matter.\n', '---\nbroken: [\n---\nBroken.\n', text('Two.')));
    expect(facts.map((it) => it.content).slice(0, 2)).toEqual(['No front matter.\n', 'Broken.\n']);
  });

  test('a renamed unit starts again at v1, and the old name ends', async () => {
    const repo = history(text('One.'), text('Two.'));
    repo.git('config', 'diff.renames', 'copies');
    repo.git('mv', FILE, 'instructions/agents/cto/goodbye.md');
    repo.commit('rename', T + 600);
    const { versions } = await publish(repo.path);
    expect(versions('goodbye').map((it) => [it.version, it.derived_from])).toEqual([[1, null]]);
    expect(versions('wrap-up').at(-1)).toMatchObject({ version: 2, valid_until: iso(T + 600) });
  });
});

describe('DESIGN §6.2 created_at is the commit’s time, at least a second after the version before', () => {
  test('an author’s valid_until holds for the version in force, and gives way to the next version', async () => {
    const dated = unitFile('How to leave work', [], 'valid_until: 2031-01-01T00:00:00Z\n', 'Until then.');
    const { facts } = await publish(history(dated).path);
    expect(facts().find((it) => it.name === 'wrap-up')?.valid_until).toBe('2031-01-01T00:00:00Z');
    const [v1] = await published(history(dated, text('After.')));
    expect(v1?.valid_until).toBe(iso(T + 120));
  });
});
