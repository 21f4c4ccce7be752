import { Client, ProtocolErrorCode, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { SkillsClient, type Skill } from '@modelcontextprotocol/client/ext/skills';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compileToFolder, testTrust } from '../../support/compiled.ts';
import { agentYaml, repository, unitFile } from '../../support/repository.ts';
import { CT_ID, CTO_ID } from '../deployment.ts';
import { running, type Running } from '../running.ts';

/** Names that YAML takes for something else than text. */
const YAML_WORDS = ['null', 'true', '123', '1e3', '2024-01-01'];
/** Names that the extension does not allow. */
const NO_SKILLS = ['a--b', 'ends-'];
const DESCRIPTION = 'How to "quote": a # and a \\ – in YAML';

let server: Running;
let client: Client;
let skills: SkillsClient;

beforeAll(async () => {
  const repo = repository()
    .write('instructions/org.yaml', 'deployment: acme\ncompiler: 0.1.0\n')
    .write('instructions/shared/heartbeat.md', unitFile('What to do on every heartbeat', ['start a heartbeat']))
    .write('instructions/agents/cto/agent.yaml', agentYaml(CTO_ID))
    .write(
      'instructions/agents/cto/quoted.md',
      unitFile(JSON.stringify(DESCRIPTION), ['quote it'], '', 'Quote – “it”.'),
    )
    .write('instructions/agents/ct/agent.yaml', agentYaml(CT_ID))
    .write('instructions/agents/ct/scans.md', unitFile('How a scan is read', ['read a scan'], '', 'Secret of ct.'));
  for (const name of [...YAML_WORDS, ...NO_SKILLS])
    repo.write(`instructions/agents/cto/${name}.md`, unitFile(`About ${name}`, [`what is ${name}`]));
  repo.commit('begin');
  const trust = testTrust();
  const { out } = await compileToFolder(repo.path, { trust });
  server = await running({ bundle: out, trust });
  client = new Client({ name: 'test', version: '1' });
  const requestInit = { headers: { authorization: `Bearer ${server.keys.cto}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit }));
  skills = new SkillsClient(client);
});

afterAll(async () => {
  await client.close();
});

const found = async (name: string): Promise<Skill | undefined> =>
  (await skills.list()).skills.find(({ uri }) => uri === `skill://${name}/SKILL.md`);

test('every unit of the agent is a skill, whatever YAML takes its name for', async () => {
  expect(skills.supported).toBe(true);
  const names = (await skills.list()).skills.map(({ frontmatter }) => frontmatter.name);
  expect(names.sort()).toEqual([...YAML_WORDS, 'heartbeat', 'quoted'].sort());
});

test('a skill’s file has the digest and the size that its entry says, and holds the unit', async () => {
  const skill = (await found('quoted'))!;
  expect(skill.frontmatter.description).toBe(DESCRIPTION);
  const file = await skills.read(skill);
  expect(file).toMatchObject({ verified: true, mimeType: 'text/markdown' });
  expect(file.body).toContain('Quote – “it”.');
});

test('a skill is got by its URI as it is listed', async () => {
  expect((await skills.get('skill://quoted/SKILL.md')).skill).toEqual(await found('quoted'));
});

test.each([
  ['of another agent', 'skill://scans/SKILL.md'],
  ['whose name the extension does not allow', 'skill://a--b/SKILL.md'],
  ['that does not exist', 'skill://no-such/SKILL.md'],
  ['outside of its folder', 'skill://quoted/../scans/SKILL.md'],
])('a skill %s is refused', async (_what, uri) => {
  const refusal = expect.objectContaining({ code: ProtocolErrorCode.InvalidParams }) as unknown;
  await expect(skills.get(uri)).rejects.toEqual(refusal);
});
