import { describe, expect, test } from 'vitest';
import { loadGarden, loadShared } from '../../compiler/io/bundle/load-garden.ts';
import { openBundle } from '../../compiler/io/bundle/open-bundle.ts';
import { recall } from '../../compiler/recall/recall.ts';
import { RecallRequest } from '../../compiler/schema/api/recall.ts';
import { faultsIn } from '../behaviours/author-errors/committed.ts';
import { placeOf } from '../behaviours/author-errors/row.ts';
import { publish } from '../io/published.ts';
import { agentYaml, smallDeployment, type Repository } from '../support/repository.ts';

const CTO = '8e0ed057-bcd8-4f8f-92ee-c046c55b64e9';

/** An agent in migration whose `limits` names `docs/limits.md`. */
function migrating(mode: string, legacy: string | Buffer, unit = ''): Repository {
  const head = '---\ndescription: Hard prohibitions\npath: docs/limits.md\nload_triggers: { keywords: [prohibited] }\n';
  const repo = smallDeployment()
    .write('instructions/agents/cto/agent.yaml', agentYaml(CTO, `migration_mode: ${mode}\n`))
    .write('instructions/agents/cto/limits.md', `${head}${unit.startsWith('valid_until') ? unit : `---\n${unit}`}`)
    .write('docs/limits.md', legacy);
  repo.commit();
  return repo;
}

/** Answer of recall from the bundle on disk. */
async function answer(repo: Repository, now = '2026-05-04T12:00:00.000Z') {
  const { folder, trust } = await publish(repo.path);
  const bundle = openBundle(folder, { pinned: trust.root, now });
  const garden = loadGarden(bundle, 'cto', loadShared(bundle));
  const request = RecallRequest.parse({ intent: 'what is prohibited', manifest_hint: ['limits'], max_chunks: 1 });
  const [chunk] = recall(garden.recall, request, { now, query: null, explain: false }).chunks;
  return chunk && { source: chunk.source, content: chunk.content, fact_uri: chunk.fact_uri };
}

const URI = 'instruction:acme/agent/cto/limits/v1';

describe('§21.6.1 through the stages of migration', () => {
  test('file: the legacy file is served, without a fact', async () => {
    expect(await answer(migrating('file', 'Never, as of old.\n'))).toEqual({
      source: 'fallback_path',
      content: 'Never, as of old.\n',
      fact_uri: URI,
    });
  });

  test('coexistence: the fact takes precedence', async () => {
    expect(await answer(migrating('coexistence', 'Never, as of old.\n', 'Never.\n'))).toEqual({
      source: 'stigmem',
      content: 'Never.\n',
      fact_uri: URI,
    });
  });

  test('coexistence: where the fact is out of force, the path takes over', async () => {
    const expired = 'valid_until: 2026-01-01T00:00:00Z\n---\nNever.\n';
    expect(await answer(migrating('coexistence', 'Never, as of old.\n', expired))).toEqual({
      source: 'fallback_path',
      content: 'Never, as of old.\n',
      fact_uri: URI,
    });
  });

  test('the legacy file is read at the compiled commit, as text with LF and without a BOM', async () => {
    const repo = migrating('file', '\ufeffNever.\r\nNot once.\r\n').write('docs/limits.md', 'A draft.\n');
    expect((await answer(repo))?.content).toBe('Never.\nNot once.\n');
  });
});

describe('DESIGN §5 a legacy file that cannot be served is the author’s fault', () => {
  test.each([
    ['binary', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0]), 'docs/limits.md:1:1 encoding_invalid'],
    [
      'left in Git LFS',
      'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n',
      'docs/limits.md:1:1 lfs_pointer',
    ],
    ['of 5 MB', 'Never. '.repeat(750_000), 'docs/limits.md:1:1 unit_too_large'],
  ])('%s', async (_, legacy, expected) => {
    expect((await faultsIn(migrating('file', legacy))).map(placeOf)).toEqual([expected]);
  });

  test('a symbolic link', async () => {
    const repo = migrating('file', '/etc/passwd');
    const blob = repo.git('rev-parse', 'HEAD:docs/limits.md').trim();
    repo.git('update-index', '--cacheinfo', `120000,${blob},docs/limits.md`);
    repo.git('commit', '--quiet', '--message', 'link');
    expect((await faultsIn(repo)).map(placeOf)).toEqual(['instructions/agents/cto/limits.md:3:1 path_missing']);
  });
});
