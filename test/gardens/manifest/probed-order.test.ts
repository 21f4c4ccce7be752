import { describe, expect, test } from 'vitest';
import { publish } from '../../io/published.ts';
import { compileRepository, testTrust } from '../../support/compiled.ts';
import { agentYaml, smallDeployment, unitFile, type Repository } from '../../support/repository.ts';

const OPS = '3b0b71f4-55d3-4f3e-8c0b-6a4c0c3f3a11';

/** Two agents with more units than a manifest has room for, `case-69` the last of them, and no probes. */
function crowded(): Repository {
  const repo = smallDeployment();
  repo.write('instructions/agents/ops/agent.yaml', agentYaml(OPS).replace('CTO', 'Operations'));
  for (const name of ['heartbeat', 'wrap-up'])
    repo.write(`instructions/agents/ops/${name}.md`, unitFile(`How to do ${name}`));
  for (let i = 10; i < 70; i++) {
    for (const agent of ['cto', 'ops'])
      repo.write(`instructions/agents/${agent}/case-${i}.md`, unitFile(`What to do in case ${i}`));
  }
  repo.commit('Units');
  return repo;
}

const PROBES = 'probes:\n  - intent: about the last one\n    required: [case-69]\n';

describe('DESIGN §6.2 a commit of probes alone', () => {
  test('probes that change what a manifest lists give it a new version, in its stub and provenance too', async () => {
    const repo = crowded();
    const trust = testTrust({ development: true });
    const before = await publish(repo.path, { trust });
    expect(before.manifest().entries.map((it) => it.name)).not.toContain('case-69');
    const commit = repo.write('instructions/probes/cto.yaml', PROBES).commit('Probes');
    const after = await publish(repo.path, { trust });
    expect(after.manifest().entries.map((it) => it.name)).toContain('case-69');
    const uri = 'instruction:acme/agent/cto/manifest/v2';
    expect(after.manifest()).toMatchObject({ manifest_version: 'v2', fact_uri: uri });
    expect(after.stub()).toContain(uri);
    const { manifest, manifest_version } = after.predicate();
    expect([manifest_version, manifest?.commit]).toEqual(['v2', commit]);
    expect(manifest?.derived_from).toBe(before.predicate().manifest?.source_digest);
    // no unit has another version by it
    expect(after.facts().map((it) => it.uri)).toEqual(before.facts().map((it) => it.uri));
    expect(after.manifest('ops')).toEqual(before.manifest('ops'));
  });

  test('an incremental compile after it gives the same bytes, and builds that agent alone again', async () => {
    const repo = crowded();
    const trust = testTrust({ development: true });
    const { folder } = await publish(repo.path, { trust });
    repo.write('instructions/probes/cto.yaml', PROBES).commit('Probes');
    const whole = await compileRepository(repo.path, { trust });
    const incremental = await compileRepository(repo.path, { trust, previous: folder });
    expect(incremental.bundle?.revision).toBe(whole.bundle?.revision);
    expect([incremental.reused, incremental.bundle?.built.map((it) => it.name)]).toEqual([1, ['shared', 'cto']]);
    expect(incremental.listed).toEqual(whole.listed);
  });

  test('probes that are removed give a new version too, which lists what the first one did', async () => {
    const repo = crowded();
    const names = async () => (await publish(repo.path)).manifest().entries.map((it) => it.name);
    const first = await names();
    repo.write('instructions/probes/cto.yaml', PROBES).commit('Probes');
    expect(await names()).not.toEqual(first);
    repo.remove('instructions/probes/cto.yaml').commit('None');
    const { manifest } = await publish(repo.path);
    expect([manifest().manifest_version, manifest().entries.map((it) => it.name)]).toEqual(['v3', first]);
  });
});
