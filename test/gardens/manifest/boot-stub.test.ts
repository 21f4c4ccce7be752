import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { rulesIn } from '../../../compiler/gardens/manifest/boot-stub.ts';
import { countTokens } from '../../../compiler/io/models/tokens.ts';
import { recallToolSchema, StubRecall, toolOutline } from '../../../compiler/schema/api/recall-tool.ts';
import { RecallRequest } from '../../../compiler/schema/api/recall.ts';
import { MCP_PROFILE, PROFILES, StubHeader } from '../../../compiler/schema/bundle/boot-stub.ts';
import { canonicalJson } from '../../../compiler/trust/canonical.ts';
import { publish } from '../../io/published.ts';
import { compileRepository } from '../../support/compiled.ts';
import { agentYaml, smallDeployment, unitFile } from '../../support/repository.ts';

/** The profiles of hosts without the tools of MCP. */
const FULL = PROFILES.filter((it) => it !== MCP_PROFILE);

const ON = 'boot_stub: { startup_view: true }\n';
const CTO = '8e0ed057-bcd8-4f8f-92ee-c046c55b64e9';
const ALL = `adapter_profiles: [${PROFILES.join(', ')}]\n`;

/** Compiles an agent with this boot.md and configuration, and reads its stubs. */
async function stubs(options: { agent?: string; boot?: string; org?: string } = {}) {
  const repo = smallDeployment().write('instructions/agents/cto/agent.yaml', agentYaml(CTO, options.agent ?? ALL));
  if (options.boot !== undefined) repo.write('instructions/agents/cto/boot.md', options.boot);
  if (options.org !== undefined)
    repo.write('instructions/org.yaml', `deployment: acme\ncompiler: 0.1.0\n${options.org}`);
  repo.commit('start', 1_770_000_000);
  const published = await publish(repo.path);
  const read = (profile: string) => {
    const [, header = '', body = ''] = /^---\n(.*?\n)---\n\n(.*)$/s.exec(published.stub(profile)) ?? [];
    return { header: StubHeader.parse(parse(header)), body, text: published.stub(profile) };
  };
  return { ...published, read };
}

describe.each(FULL)('§21.1 the boot stub for %s', (profile) => {
  test('the front matter of a boot stub has every field of §21.1.1 and §21.1.2', async () => {
    const { header } = (await stubs()).read(profile);
    expect(header).toEqual({
      agent_id: CTO,
      agent_role: 'CTO',
      heartbeat_contract: 'instruction:acme/agent/cto/heartbeat/v1',
      manifest_uri: 'instruction:acme/agent/cto/manifest/v1',
      stub_version: 1,
      generated_at: '2026-02-02T02:40:00Z',
      adapter_profile: profile,
      migration_mode: 'stigmem',
      recall_tool_schema: recallToolSchema(),
    });
  });

  test('the body of a boot stub has the recall tool as its host defines tools; the generic one is delivered as it is', async () => {
    const { body } = (await stubs()).read(profile);
    if (profile === 'generic') {
      expect(body).not.toContain('```');
      return;
    }
    const [, json = ''] = /```json\n(.*?)\n```/s.exec(body) ?? [];
    const tool = JSON.parse(json) as Record<string, unknown>;
    const shapes: Record<string, unknown> = {
      'openai-assistants': (tool['function'] as Record<string, unknown> | undefined)?.['parameters'],
      'paperclip-claude-code': tool['input_schema'],
    };
    expect(shapes[profile]).toEqual(toolOutline(StubRecall));
  });

  test('a boot stub states the agent’s role, the URIs of its instructions, and when to recall again', async () => {
    const { body } = (await stubs()).read(profile);
    expect(body).toMatch(/^# Agent Boot Stub\n/);
    expect(body).toContain(`You are **CTO** (id: \`${CTO}\`).`);
    expect(body).toContain('`instruction:acme/agent/cto/heartbeat/v1`');
    expect(body).toContain('`instruction:acme/agent/cto/manifest/v1`');
    expect(body).toContain('`recall_instruction(intent)`');
    expect(body).toMatch(/again after your context was compacted or your task changed/);
    expect(body).toMatch(/choose from `candidates`.*`manifest_hint`.*`follows`.*`nothing_fits: true`/);
  });

  test('a boot stub contains the rules of boot.md unchanged', async () => {
    const rules = 'Never push to main.\n\n- Ask first.\n- *Then* act.\n';
    const { body } = (await stubs({ boot: `\ufeff${rules.replaceAll('\n', '\r\n')}` })).read(profile);
    expect(body.endsWith(`\n\n${rules}`)).toBe(true);
  });

  test('the token count of a boot stub includes the injection, and stays within 450 tokens without boot.md', async () => {
    const { read, predicate } = await stubs();
    const { body } = read(profile);
    const count = predicate().stubs.find((it) => it.profile === profile)?.token_count;
    expect(count).toBe(countTokens(body));
    expect(count).toBeLessThanOrEqual(450);
  });
});

test('a stub is not paid for files: its tool has every other member of a request, and costs as little', () => {
  const { properties } = recallToolSchema() as { properties: object };
  const members = Object.keys(RecallRequest.shape).filter((it) => it !== 'files');
  expect(Object.keys(properties)).toEqual(members);
  const lengths = [recallToolSchema(), toolOutline(StubRecall)].map((it) => canonicalJson(it).length);
  expect(lengths).toEqual([714, 305]);
});

test('the tool that a stub defines has the names and types of what checks a request, without its limits', () => {
  const [integer, string] = [{ type: 'integer' }, { type: 'string' }];
  expect(toolOutline(StubRecall)).toEqual({
    type: 'object',
    properties: {
      ...{ intent: string, max_chunks: integer, token_budget: integer },
      manifest_hint: { type: 'array', items: string },
      ...{ candidates: integer, candidates_budget: integer, follows: string },
    },
    required: ['intent'],
  });
});

describe('§21.1.3 profiles', () => {
  test('the profile openai-assistants gives the tool as a function definition', async () => {
    const { body } = (await stubs()).read('openai-assistants');
    const tool = JSON.parse(/```json\n(.*?)\n```/s.exec(body)?.[1] ?? '') as Record<string, unknown>;
    expect(tool).toMatchObject({ type: 'function', function: { name: 'recall_instruction' } });
  });

  test('the profile paperclip-claude-code gives a tool definition and the context of the heartbeat', async () => {
    const { body } = (await stubs()).read('paperclip-claude-code');
    expect(body).toContain('PAPERCLIP_WAKE_REASON');
    expect(JSON.parse(/```json\n(.*?)\n```/s.exec(body)?.[1] ?? '')).toMatchObject({ name: 'recall_instruction' });
  });

  test('the generic boot stub is always built, whatever agent.yaml lists', async () => {
    const { predicate } = await stubs({ agent: 'adapter_profiles: [openai-assistants]\n' });
    expect(
      predicate()
        .stubs.map((it) => it.profile)
        .sort(),
    ).toEqual(['generic', 'mcp', 'openai-assistants']);
  });

  test('an unknown profile is delivered as generic, with a warning', async () => {
    const { predicate, warnings } = await stubs({ agent: 'adapter_profiles: [cursor]\n' });
    expect(predicate().stubs.map((it) => it.profile)).toEqual(['generic', 'mcp']);
    expect(warnings.map((it) => [it.rule, it.severity])).toEqual([['profile_unknown', 'warning']]);
  });

  test.each(['file', 'coexistence', 'stigmem'])('§21.6.1 a boot stub states the migration mode %s', async (mode) => {
    const { header } = (await stubs({ agent: `migration_mode: ${mode}\n` })).read('generic');
    expect(header.migration_mode).toBe(mode);
  });

  test('a role that YAML could misread stays text in the boot stub', async () => {
    const repo = smallDeployment().write(
      'instructions/agents/cto/agent.yaml',
      agentYaml(CTO).replace('role: CTO', `role: 'yes: "no" # {x}'`),
    );
    repo.commit();
    expect((await publish(repo.path)).stub()).toContain('agent_role: "yes: \\"no\\" # {x}"\n');
  });
});

describe('§21.1.2 the body is at most 500 tokens after injection', () => {
  /** A boot.md with which the largest stub costs exactly so much. */
  async function bootFor(tokens: number): Promise<string> {
    const { read } = await stubs({ boot: 'rule\n' });
    const base = Math.max(...FULL.map((it) => countTokens(read(it).body)));
    return `rule${' rule'.repeat(tokens - base)}\n`;
  }

  test.each([
    [450, []],
    [451, ['boot_stub_large']],
    [500, ['boot_stub_large']],
    [501, ['boot_stub_too_large']],
  ])('a boot stub of %i tokens gives the diagnostics %j', async (tokens, rules) => {
    const repo = smallDeployment()
      .write('instructions/agents/cto/agent.yaml', agentYaml(CTO, ALL))
      .write('instructions/agents/cto/boot.md', await bootFor(tokens))
      .write('instructions/agents/cto/limits.md', unitFile('Hard prohibitions'));
    repo.commit();
    const { faults, bundle } = await compileRepository(repo.path);
    const largest = faults.filter((it) => it.message.includes(String(tokens)));
    expect(largest.map((it) => it.rule)).toEqual(rules);
    expect(bundle === null).toBe(rules.includes('boot_stub_too_large'));
  });
});

describe('boot_stub.startup_view of org.yaml', () => {
  test('adds one line to the body of every stub, before its rules, and nothing else', async () => {
    const [plain, pointing] = [await stubs({ boot: 'Be brief.\n' }), await stubs({ boot: 'Be brief.\n', org: ON })];
    for (const profile of FULL) {
      const [before, after] = [plain.read(profile).body.split('\n'), pointing.read(profile).body.split('\n')];
      const added = after.filter((line) => !before.includes(line));
      expect(added).toEqual([expect.stringContaining('`read_capsule` with `view: "startup"`')]);
      expect(after.filter((line) => !added.includes(line) && line !== '')).toEqual(
        before.filter((line) => line !== ''),
      );
      expect(rulesIn(pointing.read('generic').text)).toBe('Be brief.');
    }
  });
});

describe('the boot stub for MCP', () => {
  const text = async (more: Parameters<typeof stubs>[0] = {}) => (await stubs(more)).stub(MCP_PROFILE);

  test('has no front matter and no schema, and ends with the rules', async () => {
    const stub = await text({ boot: 'Be brief.\n' });
    expect(stub).toMatch(/^You are \*\*CTO\*\*\./);
    expect(stub).toMatch(/\n\nBe brief\.\n$/);
    expect(stub).not.toMatch(/^---|```|schema|audit_token/m);
    expect(await text({ org: ON })).toContain('`read_capsule` with `view: "startup"`');
  });

  /** An agent with so many units, of which the second has a priority, and one is not listed. */
  async function named(count: number) {
    const repo = smallDeployment().write('instructions/agents/cto/agent.yaml', agentYaml(CTO));
    const path = (name: string) => `instructions/agents/cto/${name}.md`;
    for (let i = 1; i <= count; i++) {
      const more = i === 2 ? 'priority: 5\n' : '';
      repo.write(path(`a-page-with-a-name-${i}`), unitFile(`Page ${i}`, [`do what page ${i} says`], more));
    }
    repo.write(path('hidden'), unitFile('Hidden', ['do what is hidden'], 'listed: false\n'));
    repo.commit();
    return (await publish(repo.path)).stub(MCP_PROFILE);
  }

  test('names all listed units in the order of their places, or none where they do not fit into 500 tokens', async () => {
    const few = await named(3);
    expect(few).toMatch(/^Pages: a-page-with-a-name-2, heartbeat, .*a-page-with-a-name-3.*, and others$/m);
    expect(few).not.toContain('hidden');
    const many = await named(90);
    expect(many).not.toMatch(/Pages|a-page|below/);
    expect(countTokens(many)).toBeLessThan(500);
  });
});
