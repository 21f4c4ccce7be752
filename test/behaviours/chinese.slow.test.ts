import { expect, test } from 'vitest';
import { CHINESE } from '../build/language/chinese.ts';
import { vade, type Ran } from '../support/cli.ts';
import { repository } from '../support/repository.ts';
import { toldBy } from '../support/staffed.ts';

const TRUST = ['--trust', 'instructions/trust/1.json'];
const AGENT = ['--agent', 'assistant'];
const ADMIN_KEY = ['--key', '.vade/admin-key.pem'];

/** The handbook as one file, as a project has it before. */
const AGENTS_MD = `# 工作手册\n\n${CHINESE.units.map(({ content }) => (content ?? '').replace(/^# /, '## ')).join('\n\n')}\n`;

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
  repo.commit('handbook');
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
