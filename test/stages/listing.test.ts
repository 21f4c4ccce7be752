import { describe, expect, test } from 'vitest';
import { countTokens } from '../../compiler/edge/tokens.ts';
import { publish } from '../edge/published.ts';
import { compileRepository } from '../support/compiled.ts';
import { agentYaml, smallDeployment, unitFile, type Repository } from '../support/repository.ts';

const CTO = '8e0ed057-bcd8-4f8f-92ee-c046c55b64e9';
const MORE = [
  'guarantee_load: true',
  'required_by_task_types: [issue_assigned]',
  'load_triggers:',
  '  intents: [security rule, what am I not allowed to do]',
  '  keywords: [security, never]',
  '  task_types: [routine_fired]',
];

function withUnit(name: string, content: string, agent = ''): Repository {
  const repo = smallDeployment()
    .write(`instructions/agents/cto/${name}.md`, content)
    .write('instructions/agents/cto/agent.yaml', agentYaml(CTO, agent));
  repo.commit();
  return repo;
}

describe('§21.2.2 a manifest entry', () => {
  test('has every field of the specification, those at their default left out', async () => {
    const repo = withUnit('limits', unitFile('Hard prohibitions', [], `${MORE.join('\n')}\n`, 'Never.'));
    const { manifest } = await publish(repo.path);
    const [heartbeat, limits] = manifest().entries;
    expect(limits).toEqual({
      name: 'limits',
      description: 'Hard prohibitions',
      required_by_task_types: ['issue_assigned'],
      guarantee_load: true,
      load_triggers: {
        intents: ['security rule', 'what am I not allowed to do'],
        keywords: ['security', 'never'],
        task_types: ['routine_fired'],
      },
      fact_uri: 'instruction:acme/agent/cto/limits/v1',
      token_estimate: countTokens('# Hard prohibitions\n\nNever.\n'),
    });
    expect(Object.keys(heartbeat ?? {}).sort()).toEqual([
      'description',
      'fact_uri',
      'load_triggers',
      'name',
      'token_estimate',
    ]);
  });

  test('DESIGN §6.4 has a path alone in mode file, and the body’s fact alone after migration', async () => {
    const repo = withUnit('limits', '---\ndescription: x\npath: docs/limits.md\n---\n', 'migration_mode: file\n');
    repo.write('docs/limits.md', 'Never.\n').commit();
    const entry = (await publish(repo.path)).manifest().entries.find((it) => it.name === 'limits');
    expect([entry?.path, entry?.fact_uri]).toEqual(['docs/limits.md', undefined]);
  });

  test('§21.6.1 has both while they coexist', async () => {
    const unit = '---\ndescription: x\npath: docs/limits.md\n---\nNever, ever.\n';
    const repo = withUnit('limits', unit, 'migration_mode: coexistence\n').write('docs/limits.md', 'Never.\n');
    repo.commit();
    const entry = (await publish(repo.path)).manifest().entries.find((it) => it.name === 'limits');
    expect([entry?.path, entry?.fact_uri]).toEqual(['docs/limits.md', 'instruction:acme/agent/cto/limits/v1']);
  });
});

describe('§21.2.1 the manifest of an agent', () => {
  test('is served in as many tokens as it says', async () => {
    const { manifest, file } = await publish(withUnit('limits', unitFile('Hard prohibitions')).path);
    expect(manifest().token_count).toBe(countTokens(file('cto', 'manifest.json').toString('utf8')));
  });

  test('says how many more units recall finds, and the stub says so too', async () => {
    const repo = withUnit('limits', unitFile('Hard prohibitions', [], 'listed: false\n'));
    repo.write('instructions/shared/escalation.md', unitFile('Whom to ask')).commit();
    const { manifest, stub } = await publish(repo.path);
    expect(manifest().entries.map((it) => it.name)).toEqual(['heartbeat', 'wrap-up']);
    expect(manifest().unlisted).toBe(2);
    expect(stub()).toMatch(/\b2 more units\b/);
  });

  test('lists a shared unit exactly where agent.yaml names it', async () => {
    const repo = withUnit('limits', unitFile('Hard prohibitions'), 'shared: [escalation]\n');
    repo
      .write('instructions/shared/escalation.md', unitFile('Whom to ask'))
      .write('instructions/shared/manners.md', unitFile('How to ask'))
      .commit();
    const { manifest } = await publish(repo.path);
    const uris = manifest().entries.map((it) => it.fact_uri);
    expect(uris).toContain('instruction:acme/escalation/v1');
    expect(uris).not.toContain('instruction:acme/manners/v1');
    expect(manifest().unlisted).toBe(1);
  });

  test('is a fact of its garden under its own URI', async () => {
    const { bundle, manifest } = await publish(withUnit('limits', unitFile('Hard prohibitions')).path);
    const names = bundle.readGarden('cto').statement.subject.map((it) => it.name);
    expect(names).toContain(manifest().fact_uri);
    expect(manifest()).toMatchObject({ manifest_version: 'v1', fact_uri: 'instruction:acme/agent/cto/manifest/v1' });
  });

  test('that is too large is refused with its entries by size, largest first', async () => {
    const repo = withUnit('limits', unitFile('Hard prohibitions'));
    for (let i = 0; i < 60; i++) repo.write(`instructions/agents/cto/case-${i}.md`, unitFile(`In case ${i}`));
    repo.write(
      'instructions/agents/cto/largest.md',
      unitFile('word '.repeat(11), [], 'required_by_task_types: [manual]\n'),
    );
    repo.commit();
    const { bundle, faults } = await compileRepository(repo.path);
    expect(bundle).toBeNull();
    expect(faults.map((it) => it.rule)).toEqual(['manifest_too_large']);
    const sizes = [...(faults[0]?.help ?? '').matchAll(/([a-z0-9-]+) \((\d+)\)/g)].map(([, name, size]) => [
      name,
      Number(size),
    ]);
    expect(sizes[0]?.[0]).toBe('largest');
    expect(sizes.map((it) => it[1])).toEqual(sizes.map((it) => it[1]).sort((a, b) => Number(b) - Number(a)));
    expect(sizes).toHaveLength(64);
  });
});
