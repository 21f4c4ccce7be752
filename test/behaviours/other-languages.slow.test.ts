import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { LANGUAGES, type Language } from '../../compiler/schema/source/language.ts';
import { SMALL_HANDBOOKS, type SmallHandbook } from '../gardens/language/small-handbooks.ts';
import { vade, type Ran } from '../support/cli.ts';
import { repository } from '../support/repository.ts';
import { toldBy } from '../support/staffed.ts';

const AGENT = ['--agent', 'assistant'];
const AGENT_YAML = 'instructions/agents/assistant/agent.yaml';

const succeeded = (ran: Ran) => {
  expect(ran.code, ran.stdout + ran.stderr).toBe(0);
  return ran.envelope().data;
};

/** A project with one AGENTS.md, and a handbook of `vade init` beside it. */
async function started(markdown: string) {
  const repo = repository().write('AGENTS.md', markdown);
  const run = (...args: string[]) => vade(args, repo.path);
  succeeded(await run('init', '--deployment', 'acme', '--admin', 'acme/human/ada'));
  const agentYaml = () => readFileSync(join(repo.path, AGENT_YAML), 'utf8');
  return { repo, run, agentYaml };
}

const markdownOf = ({ units }: SmallHandbook) =>
  units.map(([heading, trigger, text]) => `## ${heading}\n\n${text} ${trigger}.\n`).join('\n');

/** Migrates a handbook and compiles it, by the commands of the README. */
async function migrated(markdown: string, language: Language) {
  const { repo, run, agentYaml } = await started(markdown);
  const before = agentYaml();
  const migrate = ['migrate', '--from', 'AGENTS.md', ...AGENT];
  expect(succeeded(await run(...migrate))).toMatchObject({ proposes_agent: false, declares_language: language });
  expect(agentYaml()).toBe(before);
  succeeded(await run(...migrate, '--write'));
  expect(agentYaml()).toBe(`${before}language: ${language}\n`);
  expect(succeeded(await run(...migrate, '--write'))).toMatchObject({ effect: 'noop', declares_language: null });
  repo.commit('handbook');
  succeeded(await run('compile', '--dev'));
  return { repo, run };
}

describe('a handbook in another language compiles by init, migrate, commit and compile', () => {
  test.each(SMALL_HANDBOOKS.map((it, at) => [at, LANGUAGES[it.language], it] as const))(
    'handbook %i, in %s',
    async (_, __, handbook) => {
      await migrated(markdownOf(handbook), handbook.language);
    },
  );

  test('its approval is valid for a development compile too', async () => {
    const [, , japanese] = SMALL_HANDBOOKS;
    if (!japanese) throw new Error('there is no third handbook');
    const { repo, run } = await migrated(markdownOf(japanese), 'ja');
    const trust = ['--trust', 'instructions/trust/1.json'];
    const key = ['--key', '.vade/admin-key.pem'];
    succeeded(await run('approve', '--kind', 'other_language', ...AGENT, ...trust, ...key));
    repo.commit('approve');
    const compiled = await run('compile', '--dev');
    succeeded(compiled);
    expect(toldBy(compiled)).toEqual(['coverage_other_language']);
  });
});

const CHINESE = '## 请假\n\n年假至少提前五个工作日在系统里提交，由直属主管审批。\n';
const ENGLISH = '## Deploy\n\nShip on Mondays, and watch the error rate for an hour before you leave the desk.\n';

test('a language that is declared stays, and a notice says that most of the text is in another', async () => {
  const { repo, run, agentYaml } = await started(CHINESE);
  repo.write(AGENT_YAML, `${agentYaml()}language: de\n`);
  const found = succeeded(await run('migrate', '--from', 'AGENTS.md', ...AGENT));
  expect([found['declares_language'], String(found['notices'])]).toEqual([null, expect.stringContaining('Chinese')]);
});

test('a project of as many English texts as others declares nothing, and compiles with a warning', async () => {
  const { repo, run } = await started(`${CHINESE}\n${ENGLISH}`);
  expect(succeeded(await run('migrate', '--from', 'AGENTS.md', ...AGENT, '--write'))).toMatchObject({
    declares_language: null,
  });
  repo.commit('handbook');
  const compiled = await run('compile', '--dev');
  succeeded(compiled);
  expect(toldBy(compiled)).toContain('coverage_other_language');
});
