import { describe, expect, test } from 'vitest';
import { isCutShort, listUnits } from '../../../compiler/build/manifest/unit-listing.ts';
import { countTokens } from '../../../compiler/io/models/tokens.ts';
import { publish } from '../../io/published.ts';
import { compileRepository } from '../../support/compiled.ts';
import { agentYaml, smallDeployment, unitFile, type Repository } from '../../support/repository.ts';

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
  test('a manifest entry has every field of the specification, without fields at their default', async () => {
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

  test('DESIGN §6.4 a manifest entry has only a path in mode file, and only a fact after migration', async () => {
    const repo = withUnit('limits', '---\ndescription: x\npath: docs/limits.md\n---\n', 'migration_mode: file\n');
    repo.write('docs/limits.md', 'Never.\n').commit();
    const entry = (await publish(repo.path)).manifest().entries.find((it) => it.name === 'limits');
    expect([entry?.path, entry?.fact_uri]).toEqual(['docs/limits.md', undefined]);
  });

  test('§21.6.1 a manifest entry has path and fact in mode coexistence', async () => {
    const unit = '---\ndescription: x\npath: docs/limits.md\n---\nNever, ever.\n';
    const repo = withUnit('limits', unit, 'migration_mode: coexistence\n').write('docs/limits.md', 'Never.\n');
    repo.commit();
    const entry = (await publish(repo.path)).manifest().entries.find((it) => it.name === 'limits');
    expect([entry?.path, entry?.fact_uri]).toEqual(['docs/limits.md', 'instruction:acme/agent/cto/limits/v1']);
  });
});

describe('§21.2.1 the manifest of an agent', () => {
  test('the token count of a manifest is that of its served text', async () => {
    const { manifest, file } = await publish(withUnit('limits', unitFile('Hard prohibitions')).path);
    expect(manifest().token_count).toBe(countTokens(file('cto', 'manifest.json').toString('utf8')));
  });

  test('manifest and boot stub state how many unlisted units recall finds', async () => {
    const repo = withUnit('limits', unitFile('Hard prohibitions', [], 'listed: false\n'));
    repo.write('instructions/shared/escalation.md', unitFile('Whom to ask')).commit();
    const { manifest, stub } = await publish(repo.path);
    expect(manifest().entries.map((it) => it.name)).toEqual(['heartbeat', 'wrap-up']);
    expect(manifest().unlisted).toBe(2);
    expect(stub()).toMatch(/\b2 more units\b/);
  });

  test('a manifest lists a shared unit only if agent.yaml names it', async () => {
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

  test('a manifest is a fact of its garden with its own URI', async () => {
    const { bundle, manifest } = await publish(withUnit('limits', unitFile('Hard prohibitions')).path);
    const names = bundle.readGarden('cto').statement.subject.map((it) => it.name);
    expect(names).toContain(manifest().fact_uri);
    expect(manifest()).toMatchObject({ manifest_version: 'v1', fact_uri: 'instruction:acme/agent/cto/manifest/v1' });
  });

  test('a manifest that is too large is refused with its entries by size and the units to unlist', async () => {
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
    const { entries, unlist } = faults[0]?.details as { entries: { name: string; tokens: number }[]; unlist: string[] };
    const sizes = [...(faults[0]?.help ?? '').matchAll(/([a-z0-9-]+) \((\d+)\)/g)].map(([, name, tokens]) => ({
      name,
      tokens: Number(tokens),
    }));
    expect(sizes).toEqual(entries);
    expect(sizes).toHaveLength(64);
    expect(sizes[0]?.name).toBe('largest');
    expect(sizes.map((it) => it.tokens)).toEqual(sizes.map((it) => it.tokens).sort((a, b) => b - a));
    expect(unlist.length).toBeGreaterThan(0);
    // what an agent is owed on waking goes last
    expect(unlist).not.toContain('largest');
    for (const name of unlist.filter((it) => it.startsWith('case-'))) {
      repo.write(`instructions/agents/cto/${name}.md`, unitFile('In case of it', [], 'listed: false\n'));
    }
    const others = unlist.filter((it) => !it.startsWith('case-'));
    for (const name of others) {
      repo.write(`instructions/agents/cto/${name}.md`, unitFile('Of old', [], 'listed: false\n'));
    }
    repo.commit();
    expect((await compileRepository(repo.path)).faults.map((it) => it.rule)).toEqual(['manifest_trimmed']);
  });

  test('a manifest of five thousand units is refused with a short help', () => {
    const entries = Array.from({ length: 5000 }, (_, i) => ({
      name: `unit-${i}`,
      description: `What to do in case ${i}`,
      load_triggers: { intents: [`need number ${i}`], keywords: [`case-${i}`] },
      fact_uri: `instruction:acme/agent/cto/unit-${i}/v1`,
    }));
    const head = { manifest_version: 'v1', fact_uri: 'x', last_updated_at: '2026-05-04T00:00:00Z' };
    const { faults } = listUnits({ head, entries, trim: true, file: 'agent.yaml' }, (text) => text.length / 4);
    expect(faults.map((it) => it.rule)).toEqual(['manifest_too_large']);
    expect(faults[0]?.help.length).toBeLessThan(6000);
    expect(faults[0]?.details?.['entries']).toHaveLength(5000);
  });
});

/** Units whose triggers are too much for a manifest, and that fit without. */
function wordy(trim = ''): Repository {
  const repo = withUnit('limits', unitFile('Hard prohibitions'));
  const need = (i: number) => Array.from({ length: 24 }, (_, n) => `need number ${n} of kind ${i}`);
  for (let i = 0; i < 5; i++) {
    repo.write(`instructions/agents/cto/case-${i}.md`, unitFile(`What to do in case ${i}`, need(i)));
  }
  repo.write('instructions/org.yaml', `deployment: acme\ncompiler: 0.1.0\n${trim}`).commit();
  return repo;
}

describe('DESIGN §6.5 a compile that trims a manifest', () => {
  test('a trimmed manifest gives a warning with the omitted members of each unit and the untrimmed size', async () => {
    const { warnings, manifest } = await publish(wordy().path);
    expect(warnings.map((it) => [it.rule, it.severity])).toEqual([['manifest_trimmed', 'warning']]);
    const { tokens, trimmed } = warnings[0]?.details as {
      tokens: number;
      trimmed: { name: string; members: string[] }[];
    };
    expect(tokens).toBeGreaterThan(1000);
    const shown = new Map(manifest().entries.map((it) => [it.name, it]));
    for (const { name, members } of trimmed) {
      const entry = shown.get(name);
      const has: Record<string, boolean> = {
        token_estimate: entry?.token_estimate !== undefined,
        'load_triggers.intents': entry?.load_triggers?.intents !== undefined,
      };
      expect(members.map((it) => [it, has[it]])).toEqual(members.map((it) => [it, false]));
      for (const member of members) expect(warnings[0]?.message).toMatch(new RegExp(`${member} of [^;]*\\b${name}\\b`));
    }
    expect(trimmed.map((it) => it.name)).toEqual(manifest().entries.map((it) => it.name));
    expect(trimmed.some((it) => it.members.includes('load_triggers.intents'))).toBe(true);
    expect([...new Set(trimmed.flatMap((it) => it.members))].sort()).toEqual(
      [...(manifest().trimmed_fields ?? [])].sort(),
    );
  });

  test('trimming is refused if org.yaml forbids it, with entries by size and the units to unlist', async () => {
    const repo = wordy('manifest:\n  trim: false\n');
    const { bundle, faults } = await compileRepository(repo.path);
    expect(bundle).toBeNull();
    expect(faults.map((it) => [it.rule, it.severity])).toEqual([['manifest_too_large', 'error']]);
    const { tokens, entries, unlist } = faults[0]?.details as { tokens: number; entries: object[]; unlist: string[] };
    expect(tokens).toBeGreaterThan(1000);
    expect(entries).toHaveLength(8);
    for (const name of unlist)
      repo.write(`instructions/agents/cto/${name}.md`, unitFile(name, [name], 'listed: false\n'));
    repo.commit();
    const after = await compileRepository(repo.path);
    expect(after.faults.filter((it) => it.severity === 'error')).toEqual([]);
    expect(after.bundle).not.toBeNull();
  });

  test('token_estimate may be trimmed even if org.yaml forbids trimming, with a warning', () => {
    const entries = Array.from({ length: 30 }, (_, i) => ({
      name: `unit-${i}`,
      description: 'What to do',
      fact_uri: `instruction:acme/agent/cto/unit-${i}/v1`,
      token_estimate: 1234,
    }));
    const head = { manifest_version: 'v1', fact_uri: 'x', last_updated_at: '2026-05-04T00:00:00Z' };
    const size = (text: string) => Math.ceil((1000 * text.length) / JSON.stringify(entries).length);
    const whole = listUnits({ head, entries, trim: false, file: 'agent.yaml' }, size);
    expect(whole.manifest.trimmed_fields).toEqual(['token_estimate']);
    expect(whole.faults.map((it) => [it.rule, isCutShort(it)])).toEqual([['manifest_trimmed', false]]);
  });
});
