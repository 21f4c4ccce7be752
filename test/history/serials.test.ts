import { describe, expect, test } from 'vitest';
import { publish } from '../io/published.ts';
import { testTrust } from '../support/compiled.ts';
import { agentYaml, smallDeployment, unitFile, type Repository } from '../support/repository.ts';

const OTHER = '3b0b71f4-55d3-4f3e-8c0b-6a4c0c3f3a11';
const UNIT = unitFile('How to leave work', [], '', 'Two.');

/** `acme` with cto and ops, in one commit. */
function twoAgents(): Repository {
  const repo = smallDeployment()
    .write('instructions/agents/ops/agent.yaml', agentYaml(OTHER))
    .write('instructions/agents/ops/heartbeat.md', unitFile('Every heartbeat'));
  repo.commit();
  return repo;
}

/** Manifest versions of cto and ops, and the root's serial. */
async function counted(repo: Repository): Promise<(string | number)[]> {
  const { manifest, root } = await publish(repo.path);
  return [manifest('cto').manifest_version, manifest('ops').manifest_version, root.serial];
}

describe('DESIGN §6.2 a manifest’s version counts the commits to its sources', () => {
  test.each([
    ['the agent’s folder', 'instructions/agents/cto/wrap-up.md', UNIT, ['v2', 'v1', 2]],
    ['agent.yaml', 'instructions/agents/ops/agent.yaml', agentYaml(OTHER, 'sensitive: true\n'), ['v1', 'v2', 2]],
    ['boot.md', 'instructions/agents/ops/boot.md', 'Never guess.\n', ['v1', 'v2', 2]],
    ['shared/', 'instructions/shared/escalation.md', UNIT, ['v2', 'v2', 2]],
    ['org.yaml', 'instructions/org.yaml', 'compiler: 0.1.0\ndeployment: acme\n', ['v2', 'v2', 2]],
    ['the agent’s probes', 'instructions/probes/cto.yaml', 'probes: []\n', ['v2', 'v1', 2]],
    ['a README of the sources', 'instructions/README.md', 'Hello.\n', ['v1', 'v1', 2]],
    ['a file elsewhere', 'README.md', 'Hello.\n', ['v1', 'v1', 1]],
    ['a folder with a longer name', 'instructions-old/agents/cto/wrap-up.md', UNIT, ['v1', 'v1', 1]],
  ])('a commit to %s counts in the versions of the manifests that it concerns', async (_, file, content, expected) => {
    const repo = twoAgents().write(file, content);
    repo.commit();
    expect(await counted(repo)).toEqual(expected);
  });

  test('last_updated_at and the stub’s generated_at are the time of the last commit that counted', async () => {
    const repo = twoAgents();
    repo.write('instructions/agents/cto/wrap-up.md', UNIT).commit('change', 1_770_000_000);
    repo.write('instructions/agents/ops/boot.md', 'Never guess.\n').commit('change', 1_780_000_000);
    const { manifest, stub } = await publish(repo.path);
    expect(manifest().last_updated_at).toBe('2026-02-02T02:40:00Z');
    expect(stub()).toContain('generated_at: "2026-02-02T02:40:00Z"');
  });

  test('§21.1.4 the stub names the current manifest', async () => {
    const repo = twoAgents();
    repo.write('instructions/agents/cto/wrap-up.md', UNIT).commit();
    const { manifest, stub } = await publish(repo.path);
    expect(stub()).toContain('manifest_uri: "instruction:acme/agent/cto/manifest/v2"');
    expect(manifest().fact_uri).toBe('instruction:acme/agent/cto/manifest/v2');
  });
});

describe('DESIGN §6.3 a garden that a commit does not touch keeps its bytes', () => {
  test('commits outside the sources do not change the bundle', async () => {
    const repo = twoAgents();
    const before = await publish(repo.path);
    repo.write('src/main.c', 'int main;').commit();
    repo.commit('empty');
    const after = await publish(repo.path, { trust: before.trust });
    expect(after.bundle.revision).toBe(before.bundle.revision);
    expect(after.root.commit).not.toBe(repo.git('rev-parse', 'HEAD').trim());
  });

  test('a commit to one agent’s folder keeps the digests of other gardens', async () => {
    const trust = testTrust({ development: true });
    const repo = twoAgents();
    const before = await publish(repo.path, { trust });
    repo.write('instructions/agents/ops/boot.md', 'Never guess.\n').commit();
    const after = await publish(repo.path, { trust });
    const digests = (it: typeof after) => it.root.gardens.map(({ garden, digest }) => `${garden} ${digest}`);
    const changed = digests(after).filter((it) => !digests(before).includes(it));
    expect(changed.map((it) => it.split(' ')[0])).toEqual(['ops']);
  });
});

describe('§21.4.1 versions only increase', () => {
  /** cto keeps a legacy file that had three commits before a unit names it. */
  function migrating(): Repository {
    const repo = twoAgents();
    for (const edit of ['One.', 'Two.', 'Three.']) repo.write('docs/old.md', `${edit}\n`).commit();
    return repo;
  }
  const unit = (more: string) => unitFile('How to leave work', [], more, 'New.');

  test('coexistence and promotion (§21.6.2) increase manifest version and serial', async () => {
    const repo = migrating();
    repo
      .write(
        'instructions/agents/cto/agent.yaml',
        agentYaml('8e0ed057-bcd8-4f8f-92ee-c046c55b64e9', 'migration_mode: coexistence\n'),
      )
      .write('instructions/agents/cto/wrap-up.md', unit('path: docs/old.md\n'))
      .commit('coexist');
    const coexisting = await publish(repo.path);
    repo
      .write('instructions/agents/cto/agent.yaml', agentYaml('8e0ed057-bcd8-4f8f-92ee-c046c55b64e9'))
      .write('instructions/agents/cto/wrap-up.md', unit(''))
      .commit('promote');
    const promoted = await publish(repo.path);
    const version = (it: typeof promoted) => Number(it.manifest().manifest_version.slice(1));
    expect(version(promoted)).toBeGreaterThan(version(coexisting));
    expect(promoted.root.serial).toBeGreaterThan(coexisting.root.serial);
  });

  test('a changed legacy file increases the serial and does not change the manifest', async () => {
    const repo = migrating();
    repo
      .write(
        'instructions/agents/cto/agent.yaml',
        agentYaml('8e0ed057-bcd8-4f8f-92ee-c046c55b64e9', 'migration_mode: file\n'),
      )
      .write('instructions/agents/cto/wrap-up.md', '---\ndescription: How to leave work\npath: docs/old.md\n---\n')
      .commit('file');
    const before = await publish(repo.path);
    repo.write('docs/old.md', 'Much longer than it was before, by many words.\n').commit();
    const after = await publish(repo.path);
    expect(after.manifest()).toEqual(before.manifest());
    expect(after.root.serial).toBeGreaterThan(before.root.serial);
  });
});
