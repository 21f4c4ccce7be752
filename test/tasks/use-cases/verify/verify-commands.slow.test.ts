import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { configure, everyKeyOf, programsOf, trap } from '../../../attack/hostile.ts';
import { tempFolder } from '../../../support/folder.ts';
import { agentsPlace, AT, CHEAP, told } from '../../../support/spawned.ts';
import { plannedCheck } from '../../../support/work.ts';
import { worldIn } from '../../../support/world.ts';

describe('tests that are run', () => {
  const RUNNING = {
    'package.json': '{"scripts":{"test":"node --test"}}',
    'src/sum.js': 'exports.sum = (a, b) => a + b;\n',
    'test/sum.test.js':
      "const { test } = require('node:test');\nconst { sum } = require('../src/sum.js');\n" +
      "test('sums', () => { if (sum(1, 2) !== 3) throw new Error('no sum'); });\n",
  };
  const checks = [plannedCheck('verifies::quality_tests_green', ['test-count-min']), ...CHEAP];
  const world = { env: { PATH: process.env['PATH'], HOME: '/root', SECRET: 'x', SSH_AUTH_SOCK: '/x' } };
  const parameters = { 'files-whitelist': ['src/**', 'test/**'], 'test-count-min': 1 };

  test('green alone and red with main: caught by the second pass, with the last lines', async () => {
    const { spawn, verify, repo, append } = agentsPlace(RUNNING);
    const one = spawn('one', { checks, parameters });
    one.write('src/use.js', "exports.use = require('./sum.js').sum(2, 2);\n");
    one.write(
      'test/use.test.js',
      "require('node:test').test('uses', () => { if (require('../src/use.js').use !== 4) throw new Error('broken use'); });\n",
    );
    const before = repo.git('rev-parse', 'HEAD').trim();
    repo.write('src/sum.js', 'exports.sum = (a, b, c) => a + b + c.length;\n');
    repo.write('test/sum.test.js', RUNNING['test/sum.test.js'].replace('sum(1, 2)', "sum(1, 2, '')"));
    const after = repo.commit();
    const changes = [{ path: 'refs/heads/main', before: `text ${before}`, after: `text ${after}` }];
    append({ format: 1, kind: 'explanation', agent_id: 'one', at: AT, changes, reason: 'my own commit' });
    const report = await verify('one', {}, inWorld());
    expect(told(report)).toEqual({
      verdict: 'violations',
      proposal: 'reject_and_respawn',
      failed: ['simulated-merge quality::tests-green'],
      git: [],
    });
    const found = report.passes[1]?.findings[0];
    expect(found?.reason).toBe('npm test FAILED — agent-local green ≠ integration green');
    expect(found?.detail?.split('\n').length).toBeLessThanOrEqual(5);
  });

  test('a test sees no secret, no worktree and no repository, and what it does to main’s references holds the merge', async () => {
    const { spawn, verify, repo } = agentsPlace(RUNNING);
    const one = spawn('one', { checks, parameters });
    const seen = join(tempFolder(), 'seen.json');
    const script = `
      const { execSync, spawn } = require('node:child_process');
      const { writeFileSync } = require('node:fs');
      let git = 'none';
      try { git = execSync('git rev-parse --git-dir', { stdio: 'pipe' }).toString(); } catch {}
      writeFileSync(${JSON.stringify(seen)}, JSON.stringify({ env: process.env, git, cwd: process.cwd() }));
      spawn('sleep', ['300'], { detached: true, stdio: 'ignore' }).unref();
      execSync('git --git-dir ${repo.path}/.git update-ref refs/heads/stolen HEAD');
      require('node:test').test('fine', () => {});\n`;
    one.write('test/evil.test.js', script);
    const report = await verify('one', {}, inWorld());
    expect(told(report)).toEqual({ verdict: 'unjudged', proposal: null, failed: [], git: ['refs/heads/stolen'] });
    expect(report.git[0]?.when).toBe('checks');
    const { env, git, cwd } = JSON.parse(readFileSync(seen, 'utf8')) as {
      env: Record<string, string>;
      git: string;
      cwd: string;
    };
    expect([env['SECRET'], env['SSH_AUTH_SOCK'], env['HOME'] === '/root', git]).toEqual([
      undefined,
      undefined,
      false,
      'none',
    ]);
    expect(cwd.startsWith(repo.path) || cwd.startsWith(one.worktree)).toBe(false);
    const left = execFileSync('sh', [
      '-c',
      `grep -l "VADE_RUN=${env['VADE_RUN'] ?? '?'}" /proc/[0-9]*/environ 2>/dev/null || true`,
    ]);
    expect(left.toString()).toBe('');
  });

  test('what a check leaves in its home or checkout decides nothing for the next one', async () => {
    const { spawn, verify, repo, append } = agentsPlace(RUNNING);
    const one = spawn('one', { checks, parameters: { 'files-whitelist': ['src/**', 'test/**'] } });
    one.write(
      'test/evil.test.js',
      `const { writeFileSync } = require('node:fs');
       writeFileSync(process.env.HOME + '/.npmrc', 'script-shell=/bin/true');
       require('node:test').test('fine', () => { if (require('../src/sum.js').sum(2, 2) !== 4) throw new Error('broken'); });\n`,
    );
    const before = repo.git('rev-parse', 'HEAD').trim();
    const after = repo.write('src/sum.js', 'exports.sum = () => 3;\n').commit();
    const changes = [{ path: 'refs/heads/main', before: `text ${before}`, after: `text ${after}` }];
    append({ format: 1, kind: 'explanation', agent_id: 'one', at: AT, changes, reason: 'my own commit' });
    expect(told(await verify('one', {}, inWorld())).failed).toEqual(['simulated-merge quality::tests-green']);
  });

  function inWorld() {
    return { ...worldIn('/', new Date(AT)), ...world };
  }
});

describe('programs that a repository’s configuration names', () => {
  test.each([
    ['each key that can name a program names one that leaves a mark', programsOf],
    ['every key that git knows', everyKeyOf],
  ])('judging runs none of them: %s', async (_, text) => {
    const { repo, common, spawn, verify } = agentsPlace({ 'src/a.md': 'a\n', 'README.md': 'x\n' });
    const set = trap();
    repo.write('.gitattributes', '*.md filter=trap diff=trap merge=trap\n').commit();
    const one = spawn('one', { checks: CHEAP });
    configure(common, text(set, common));
    one.write('src/a.md', 'agent\n');
    one.write('.gitattributes', '* filter=trap merge=trap\n');
    // the configuration is another one than at the spawn, which is told
    expect(told(await verify('one'))).toMatchObject({
      git: expect.arrayContaining(['config']) as string[],
      failed: ['worktree obeyed', 'worktree scope::files-whitelist'],
    });
    one.remove('.gitattributes');
    one.write('.gitattributes', '*.md filter=trap diff=trap merge=trap\n');
    expect(told(await verify('one'))).toMatchObject({
      verdict: 'unjudged',
      git: expect.arrayContaining(['config']) as string[],
      failed: [],
    });
    expect(set.marks()).toEqual([]);
  });
});
