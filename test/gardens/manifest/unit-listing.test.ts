import { describe, expect, test } from 'vitest';
import { listUnits } from '../../../compiler/gardens/manifest/unit-listing.ts';
import type { Manifest } from '../../../compiler/schema/bundle/manifest.ts';
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
  test('a manifest entry has what decides about its unit, without members at their default', async () => {
    const repo = withUnit('limits', unitFile('Hard prohibitions', [], `${MORE.join('\n')}\n`, 'Never.'));
    const { manifest } = await publish(repo.path);
    const [heartbeat, limits] = manifest().entries;
    expect(limits).toEqual({
      name: 'limits',
      description: 'Hard prohibitions',
      required_by_task_types: ['issue_assigned'],
      guarantee_load: true,
      load_triggers: { intents: ['security rule', 'what am I not allowed to do'] },
      fact_uri: 'instruction:acme/agent/cto/limits/v1',
    });
    expect(Object.keys(heartbeat ?? {}).sort()).toEqual(['description', 'fact_uri', 'load_triggers', 'name']);
  });

  test('DESIGN §6.5 a manifest entry shows the first three of the intents that have at most 60 characters', async () => {
    const fits = 'é'.repeat(60);
    const intents = ['first need', `${fits}x`, fits, 'third need', 'fourth need'];
    const { manifest } = await publish(withUnit('limits', unitFile('Hard prohibitions', intents)).path);
    const entry = manifest().entries.find((it) => it.name === 'limits');
    expect(entry?.load_triggers).toEqual({ intents: ['first need', fits, 'third need'] });
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

  test('units that a manifest has to list and that do not fit are refused, with their entries by size', async () => {
    const repo = withUnit('limits', unitFile('Hard prohibitions'));
    for (let i = 0; i < 60; i++)
      repo.write(`instructions/agents/cto/case-${i}.md`, unitFile(`In case ${i}`, [], PRELOADED));
    repo.write('instructions/agents/cto/largest.md', unitFile('word '.repeat(11), [], PRELOADED)).commit();
    const { bundle, faults } = await compileRepository(repo.path);
    expect(bundle).toBeNull();
    expect(faults.map((it) => it.rule)).toEqual(['manifest_too_large']);
    const { tokens, entries } = faults[0]?.details as {
      tokens: number;
      entries: { name: string; tokens: number }[];
    };
    expect(tokens).toBeGreaterThan(1000);
    const sizes = [...(faults[0]?.help ?? '').matchAll(/([a-z0-9-]+) \((\d+)\)/g)].map(([, name, tokens]) => ({
      name,
      tokens: Number(tokens),
    }));
    expect(sizes).toEqual(entries);
    // the heartbeat contract is one of them
    expect(sizes).toHaveLength(62);
    expect(sizes[0]?.name).toBe('largest');
    expect(sizes.map((it) => it.tokens)).toEqual(sizes.map((it) => it.tokens).sort((a, b) => b - a));
  });

  test('five thousand units that a manifest has to list are refused with a short help', () => {
    const candidates = Array.from({ length: 5000 }, (_, i) => ({
      entry: { name: `unit-${i}`, description: 'What to do', fact_uri: `instruction:acme/agent/cto/unit-${i}/v1` },
      ...{ intents: [], needed: true, priority: 0, probes: 0, isSkill: false },
    }));
    const head = { manifest_version: 'v1', fact_uri: 'x', last_updated_at: '2026-05-04T00:00:00Z' };
    const { faults } = listUnits({ head, candidates, others: 0, file: 'agent.yaml' }, (text) => text.length / 4);
    expect(faults.map((it) => it.rule)).toEqual(['manifest_too_large']);
    expect(faults[0]?.help.length).toBeLessThan(6000);
    expect(faults[0]?.details?.['entries']).toHaveLength(5000);
  });
});

const PRELOADED = 'required_by_task_types: [manual]\n';

/** More units of one size than a manifest has room for, each with three lines of front matter at most. */
function crowded(front: Readonly<Record<number, string>> = {}): Repository {
  const repo = withUnit('limits', unitFile('Hard prohibitions'));
  for (let i = 10; i < 70; i++)
    repo.write(`instructions/agents/cto/case-${i}.md`, unitFile(`What to do in case ${i}`, [], front[i] ?? ''));
  repo.commit();
  return repo;
}

describe('DESIGN §6.5 a manifest without room for all units', () => {
  const casesIn = ({ entries }: Manifest) => entries.map((it) => it.name).filter((it) => it.startsWith('case-'));
  const probe = (name: string) => `  - intent: about ${name}\n    required: [${name}]\n`;

  test('a manifest lists as many units as fit, and counts the others without a warning', async () => {
    const { manifest, stub, warnings } = await publish(crowded().path);
    const { entries, unlisted, token_count } = manifest();
    expect(warnings).toEqual([]);
    expect(entries.length).toBeGreaterThan(25);
    expect([entries.length + (unlisted ?? 0), token_count > 900]).toEqual([63, true]);
    expect(entries.filter((it) => it.load_triggers)).toEqual([]);
    expect(stub()).toMatch(new RegExp(`\\b${unlisted} more units\\b`));
    // of equal ones, by name
    const cases = casesIn(manifest());
    expect(cases).toEqual(Array.from(cases, (_, i) => `case-${10 + i}`));
  });

  test('the author’s priority gives a place, then need, then probes, then the name', async () => {
    const repo = crowded({
      60: 'priority: 1\n',
      61: 'priority: 9\n',
      62: PRELOADED,
      63: '',
      64: '',
      65: 'priority: 0\n',
    });
    const probes = [...Array.from({ length: 40 }, (_, i) => `case-${66 - i}`), 'case-64', 'case-63', 'case-63'];
    repo.write('instructions/probes/cto.yaml', `probes:\n${probes.map(probe).join('')}`).commit();
    const { manifest } = await publish(repo.path);
    const cases = casesIn(manifest());
    for (const name of [60, 61, 62, 63, 64]) expect(cases).toContain(`case-${name}`);
    // one probe each, and then by name
    const once = cases.filter((it) => !['60', '61', '62', '63', '64'].includes(it.slice(-2)));
    expect(once).toEqual(Array.from(once, (_, i) => `case-${27 + i}`));
    expect(cases).not.toContain('case-10');
  });

  test('a unit gets no place by a probe that forbids it', async () => {
    const repo = crowded().write(
      'instructions/probes/cto.yaml',
      'probes:\n  - intent: about the first\n    required: [case-10]\n    forbidden: [case-69]\n',
    );
    repo.commit();
    expect(casesIn((await publish(repo.path)).manifest())).not.toContain('case-69');
  });
});
