import { expect, test } from 'vitest';
import { shownOfAgent, shownOfUnit } from '../../compiler/lint/shown-texts.ts';
import { candidateText } from '../../compiler/recall/candidates.ts';
import { Agent } from '../../compiler/schema/source/agent.ts';
import { Delivery } from '../../compiler/schema/source/unit.ts';
import { decodeYaml } from '../../compiler/sources/yaml.ts';
import { publish } from '../io/published.ts';
import { smallDeployment } from '../support/repository.ts';
import { unit } from './firing.ts';

const CTO = '8e0ed057-bcd8-4f8f-92ee-c046c55b64e9';

/** A value for each key of front matter; each text that an author chooses has the key in it. */
const FRONT: Record<keyof Delivery, string> = {
  description: 'marked-description',
  load_triggers: '{ intents: [marked-intent], keywords: [marked-keyword], task_types: [marked-type] }',
  required_by_task_types: '[marked_wake]',
  guarantee_load: 'false',
  force_position: 'append',
  related: '[marked-related]',
  aliases: '[marked-alias]',
  valid_until: '2100-01-01T00:00:00Z',
  listed: 'true',
  priority: '1',
  files: '[marked-files/**]',
  renamed_from: 'marked-former',
  source: 'docs/marked-source.md:1',
  path: 'docs/marked-path.md',
};

/** The same for an agent’s configuration. */
const CONFIGURED: Record<keyof Agent, string> = {
  agent_id: CTO,
  role: 'marked-role',
  heartbeat_contract: 'heartbeat',
  adapter_profiles: '[generic]',
  migration_mode: 'coexistence',
  sensitive: 'false',
  shared: '[]',
  language: 'en',
  skills: '[.claude/skills]',
};

const yamlOf = (keys: Readonly<Record<string, string>>) =>
  Object.entries(keys)
    .map(([key, value]) => `${key}: ${value}\n`)
    .join('');
const markedIn = (text: string) => [...new Set(text.match(/marked[-_]\w+/g))].sort();

test('DESIGN §7 lint reads every text of a unit or an agent that an entry, a candidate or a stub shows', async () => {
  expect([Object.keys(FRONT), Object.keys(CONFIGURED)]).toEqual([
    Object.keys(Delivery.shape),
    Object.keys(Agent.shape),
  ]);
  const source = `---\n${yamlOf(FRONT)}---\n\nDo it.\n`;
  const folder = 'instructions/agents/cto';
  const repo = smallDeployment()
    .write('instructions/org.yaml', 'deployment: acme\ncompiler: 0.1.0\nwake_reasons: [marked_wake]\n')
    .write(`${folder}/agent.yaml`, yamlOf(CONFIGURED))
    .write(`${folder}/marked-name.md`, source)
    .write(`${folder}/marked-related.md`, '---\ndescription: Related\n---\n\nSee it.\n')
    .write('docs/marked-path.md', 'Do it.\n');
  repo.commit();
  const { file, manifest } = await publish(repo.path);
  const entry = manifest().entries.find(({ name }) => name === 'marked-name') ?? { name: '', description: '' };
  const shown = [JSON.stringify(entry), candidateText(entry), file('cto', 'stubs/generic.md').toString('utf8')];
  const config = decodeYaml(Agent, yamlOf(CONFIGURED), 'agent.yaml');
  const read = [
    ...shownOfUnit(unit('marked-name', source)),
    ...shownOfAgent(config.value ?? { role: '' }, config.at(['role'])),
  ];
  const texts = read.map(({ text }) => text.replace('marked name', 'marked-name')).join('\n');
  expect(markedIn(shown.join('\n'))).toEqual(markedIn(texts));
  expect(markedIn(texts)).toContain('marked-description');
});
