import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { agentsPlace, told } from '../../../support/spawned.ts';

const FILES = { 'src/a.js': 'a', 'README.md': 'readme' };
const HOLDS = { verdict: 'holds', proposal: 'merge', failed: [], git: [] };

describe('what attacks have shown: an agent leaves what runs on the person’s side', () => {
  test('H3: a hook in the git folder of a submodule holds the merge; a name that nobody knows is told and holds nothing', async () => {
    const { spawn, verify, common } = agentsPlace(FILES);
    const module = join(common, 'modules/vendor/lib');
    mkdirSync(join(module, 'hooks'), { recursive: true });
    for (const it of ['HEAD', 'config']) writeFileSync(join(module, it), '');
    spawn('one').write('src/x.js', 'x');
    writeFileSync(join(common, 'something'), '');
    const before = await verify('one');
    expect([told(before), before.noticed]).toEqual([HOLDS, [{ what: 'new_in_git', path: 'something' }]]);
    writeFileSync(join(module, 'hooks/post-checkout'), 'x', { mode: 0o755 });
    const after = await verify('one');
    expect(told(after)).toMatchObject({ verdict: 'unjudged', git: ['modules/vendor/lib/hooks/post-checkout'] });
  });

  test('H5: a hook of the host in the tree is a violation, unless the role names it; its removal is one too', async () => {
    const { spawn, verify } = agentsPlace({ ...FILES, 'src/.envrc': 'x' });
    const agents = [spawn('one'), spawn('named', { obeyed_allowed: ['src/.claude/**', 'src/.envrc'] })];
    for (const it of agents) {
      it.write('src/.claude/settings.json', '{}');
      it.remove('src/.envrc');
    }
    const report = await verify('one');
    expect(told(report)).toMatchObject({ proposal: 'reject_and_respawn', failed: ['worktree obeyed'] });
    expect(report.passes[0]?.findings[0]?.detail?.split('\n')).toHaveLength(2);
    expect(told(await verify('named'))).toEqual(HOLDS);
  });

  test('H2: each file of the work with a second name is told, changed or not, and holds nothing', async () => {
    const { spawn, verify, trees } = agentsPlace({ ...FILES, 'src/b.js': 'b' });
    const one = spawn('one');
    one.write('src/new.js', 'new');
    one.append('src/b.js', 'more');
    for (const it of ['README.md', 'src/new.js', 'src/b.js']) linkSync(one.at(it), join(trees, it.replace('/', '-')));
    const report = await verify('one');
    const paths = ['README.md', 'src/b.js', 'src/new.js'];
    expect([told(report), report.noticed]).toEqual([HOLDS, paths.map((path) => ({ what: 'second_name', path }))]);
  });

  test('caches of git that agree with the objects are no change, and a commit-graph with a false tree holds the merge', async () => {
    const { spawn, verify, common, repo } = agentsPlace(FILES);
    const git = (...args: string[]) => execFileSync('git', args, { cwd: repo.path, encoding: 'utf8', stdio: 'pipe' });
    repo.write('README.md', 'second').commit();
    spawn('one').write('src/x.js', 'x');
    // without files for clients of a server
    git('repack', '-adqn');
    git('multi-pack-index', 'write');
    git('commit-graph', 'write', '--reachable');
    expect(told(await verify('one'))).toEqual(HOLDS);
    const graph = join(common, 'objects/info/commit-graph');
    const body = readFileSync(graph).subarray(0, -20);
    const tree = (name: string) => Buffer.from(git('rev-parse', `${name}^{tree}`).trim(), 'hex');
    tree('HEAD~1').copy(body, body.indexOf(tree('HEAD')));
    rmSync(graph);
    writeFileSync(graph, Buffer.concat([body, createHash('sha1').update(body).digest()]));
    expect(told(await verify('one'))).toMatchObject({ verdict: 'unjudged', git: ['objects/info/commit-graph'] });
  });

  test('an index of packs that does not agree with them holds the merge', async () => {
    const { spawn, verify, common } = agentsPlace(FILES);
    spawn('one').write('src/x.js', 'x');
    writeFileSync(join(common, 'objects/pack/multi-pack-index'), 'x');
    const git = ['objects/pack/multi-pack-index'];
    expect(told(await verify('one'))).toMatchObject({ verdict: 'unjudged', git });
  });
});
