import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CHINESE } from '../gardens/language/spoken-handbooks.ts';
import { vade, type Ran } from '../support/cli.ts';
import { repository, type Repository } from '../support/repository.ts';
import { toldBy } from '../support/staffed.ts';

const TRUST = ['--trust', 'instructions/trust/1.json'];
const AGENT = ['--agent', 'assistant'];
const ADMIN_KEY = ['--key', '.vade/admin-key.pem'];

/** The handbook as one file, as a project has it before. */
const AGENTS_MD = `# 工作手册\n\n${CHINESE.units.map(({ content }) => (content ?? '').replace(/^# /, '## ')).join('\n\n')}\n`;

/** Gives each migrated unit a trigger in Chinese, as a brief does: the gate cannot judge them. */
function withTriggers(repo: Repository): Repository {
  const folder = 'instructions/agents/assistant';
  for (const name of readdirSync(join(repo.path, folder)).filter((it) => it.endsWith('.md'))) {
    const text = readFileSync(join(repo.path, folder, name), 'utf8');
    const [, heading = ''] = /^## (.*)$/m.exec(text) ?? [];
    repo.write(`${folder}/${name}`, text.replace('  intents: []\n', `  intents:\n    - 有人来问我${heading}的事情\n`));
  }
  return repo;
}

const succeeded = (ran: Ran) => {
  expect(ran.code, ran.stdout + ran.stderr).toBe(0);
  return ran.envelope().data;
};

test('a Chinese AGENTS.md is migrated, approved, compiled with a signature, and recalled by Chinese sentences', async () => {
  const repo = repository().write('AGENTS.md', AGENTS_MD);
  const run = (...args: string[]) => vade(args, repo.path);
  const compile = () => run('compile', ...TRUST, '--key', '.vade/signing-key.pem');
  succeeded(await run('init', '--deployment', 'acme', '--admin', 'acme/human/ada'));
  repo.write('instructions/org.yaml', 'deployment: acme\ncompiler: 0.1.0\nlanguage: zh\n');
  succeeded(await run('migrate', '--from', 'AGENTS.md', ...AGENT, '--write'));
  withTriggers(repo).commit('handbook');
  const refused = await compile();
  expect([refused.code, toldBy(refused)]).toEqual([4, expect.arrayContaining(['coverage_not_evaluated'])]);
  succeeded(await run('approve', '--kind', 'other_language', ...AGENT, ...TRUST, ...ADMIN_KEY));
  repo.commit('approve');
  const compiled = await compile();
  succeeded(compiled);
  expect(toldBy(compiled)).toContain('coverage_other_language');
  succeeded(await run('verify', ...TRUST));
  const first = async (intent: string) => {
    const { chunks } = succeeded(await run('recall', ...TRUST, ...AGENT, '--intent', intent));
    return (chunks as { content: string }[])[0]?.content.split('\n')[0];
  };
  expect(await first('出差回来怎么报销住宿费用')).toBe('## 报销');
  expect(await first('我想请年假，要提前几天')).toBe('## 请假');
  expect(await first('数据库密码应该存放在哪里')).toBe('## 密钥');
});

const BOB = 'acme/human/bob';

test('with a guaranteed unit a Chinese handbook takes two administrators, of whom the second joined by a new trust root', async () => {
  const repo = repository().write('AGENTS.md', AGENTS_MD);
  const run = (...args: string[]) => vade(args, repo.path);
  const compile = () => run('compile', ...TRUST, '--key', '.vade/signing-key.pem');
  const approve = (kind: string, key: string, ...more: string[]) =>
    run('approve', '--kind', kind, ...AGENT, ...more, ...TRUST, '--key', key);
  succeeded(await run('init', '--deployment', 'acme', '--admin', 'acme/human/ada'));
  succeeded(await run('trust', 'keygen', '--out', '.vade/bob-key.pem', '--owner', BOB));
  succeeded(
    await run('trust', 'draft', ...TRUST, '--out', '.vade/draft.json', '--add-key', `${BOB}=.vade/bob-key.pem`),
  );
  const signed = ['--draft', '.vade/draft.json', '--key', '.vade/root-key.pem', '--out', 'instructions/trust/2.json'];
  succeeded(await run('trust', 'sign', ...TRUST, ...signed));
  repo.write('instructions/org.yaml', 'deployment: acme\ncompiler: 0.1.0\nlanguage: zh\n');
  const { units } = succeeded(await run('migrate', '--from', 'AGENTS.md', ...AGENT, '--write')) as {
    units: { name: string }[];
  };
  const name = units[0]?.name ?? '';
  const file = join(repo.path, `instructions/agents/assistant/${name}.md`);
  writeFileSync(file, readFileSync(file, 'utf8').replace(/\n---\n/, '\nguarantee_load: true\n---\n'));
  withTriggers(repo).commit('handbook');
  succeeded(await approve('guarantee_load', '.vade/bob-key.pem', '--unit', name));
  succeeded(await approve('other_language', '.vade/admin-key.pem'));
  repo.commit('one approves');
  const refused = await compile();
  expect([refused.code, toldBy(refused)]).toEqual([4, expect.arrayContaining(['coverage_not_evaluated'])]);
  succeeded(await approve('other_language', '.vade/bob-key.pem'));
  repo.commit('two approve');
  const compiled = await compile();
  succeeded(compiled);
  expect(toldBy(compiled)).toContain('coverage_other_language');
  succeeded(await run('verify', ...TRUST));
});
