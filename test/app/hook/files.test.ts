import { beforeAll, describe, expect, test } from 'vitest';
import { hookedProject, writing, type HookedProject } from '../../support/hooked-project.ts';

let project: HookedProject;
beforeAll(async () => {
  project = await hookedProject();
});
const START = { hook_event_name: 'SessionStart', source: 'startup' };
const pagesIn = (text: string | null) => [...(text ?? '').matchAll(/^## (\S+) v\d+$/gm)].map(([, name]) => name);

describe('A file that a tool reads or writes', () => {
  test('brings the pages that are about it, the most exact pattern first, once', async () => {
    const event = writing(project, 'src/pay/card.ts', { session_id: 'once' });
    expect(pagesIn(await project.hook(event))).toEqual(['payments', 'typescript']);
    expect(await project.hook(event)).toBeNull();
    expect(await project.hook(writing(project, 'src/pay/other.ts', { session_id: 'once' }))).toBeNull();
  });

  test('brings them to each session and each sub-agent of its own', async () => {
    const event = writing(project, 'src/pay/card.ts', { session_id: 'several' });
    await project.hook(event);
    expect(pagesIn(await project.hook({ ...event, agent_id: 'sub' }))).toHaveLength(2);
    expect(pagesIn(await project.hook({ ...event, session_id: 'other' }))).toHaveLength(2);
  });

  test('brings them again after a resume, which leaves out what tools brought, a compaction and a clear', async () => {
    const event = writing(project, 'src/pay/card.ts', { session_id: 'again' });
    const counts = [];
    for (const source of ['resume', 'compact', 'clear']) {
      await project.hook(event);
      await project.hook({ ...START, source, session_id: 'again' });
      counts.push(pagesIn(await project.hook(event)).length);
    }
    expect(counts).toEqual([2, 2, 2]);
  });

  test('brings a page that a prompt had only named', async () => {
    const prompt = 'how are card amounts written, and what is a type here';
    const named = await project.hook({ hook_event_name: 'UserPromptSubmit', prompt, session_id: 'named' });
    expect(named).toContain('- payments: ');
    const event = writing(project, 'src/pay/card.ts', { session_id: 'named' });
    expect(pagesIn(await project.hook(event))).toContain('payments');
  });

  test('outside of the project, or without a page about it, brings nothing', async () => {
    const outside = {
      hook_event_name: 'PreToolUse',
      tool_name: 'Read',
      tool_input: { file_path: '/etc/src/pay/x.ts' },
    };
    for (const event of [outside, writing(project, '../src/pay/x.ts'), writing(project, 'README.md')])
      expect(await project.hook({ ...event, session_id: 'nothing' })).toBeNull();
  });

  test('that git has in a linked worktree brings the pages of the main checkout', async () => {
    const { repo } = project;
    repo.git('worktree', 'add', '--quiet', 'tree');
    const event = { ...writing(project, 'tree/src/pay/card.ts'), session_id: 'tree' };
    expect(pagesIn(await project.hook(event, {}, `${repo.path}/tree`))).toEqual(['payments', 'typescript']);
  });

  test('in a folder that only names a repository brings nothing of that repository', async () => {
    const { repo } = project;
    repo.write('foreign/.git', `gitdir: ${repo.path}/.git/worktrees/tree\n`);
    expect(
      await project.hook(writing(project, 'x.ts'), { bundle: 'elsewhere' }, `${repo.path}/foreign`).catch(String),
    ).toContain('have no bundle');
  });
});
