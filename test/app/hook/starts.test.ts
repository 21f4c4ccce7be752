import { readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { tempFolder } from '../../support/folder.ts';
import { hookedProject, type HookedProject } from '../../support/hooked-project.ts';

let project: HookedProject;
beforeAll(async () => {
  project = await hookedProject();
});
const start = (session_id: string, source = 'startup') => ({ hook_event_name: 'SessionStart', source, session_id });
const subagent = (agent_type: string, agent_id = 'sub') => ({ hook_event_name: 'SubagentStart', agent_id, agent_type });

describe('A start of a session', () => {
  test('brings the boot stub and the guaranteed pages', async () => {
    const text = await project.hook(start('fresh'));
    expect(text).toContain('You are **Assistant**');
    expect(text).toMatch(/^## rules v1\n```\n# rules/m);
  });

  test('brings them again after a compaction, and nothing at a resume, where they are still there', async () => {
    const first = await project.hook(start('life'));
    expect(await project.hook(start('life', 'resume'))).toBeNull();
    expect(await project.hook(start('life', 'compact'))).toBe(first);
    expect(await project.hook(start('life', 'clear'))).toBe(first);
  });

  test('says by its code that the handbook does not load, and no other event says anything', async () => {
    const { repo, hook } = project;
    repo.write('broken/current', '1-nothing\n');
    expect(await hook(start('broken'), { bundle: 'broken' })).toContain('(bundle_unverified)');
    const prompt = { hook_event_name: 'UserPromptSubmit', prompt: 'ship a new version to production' };
    await expect(hook(prompt, { bundle: 'broken' })).rejects.toMatchObject({ code: 'bundle_unverified' });
    const root = 'instructions/trust/1.json';
    expect(await hook(start('gone'), { bundle: 'gone', trust: root, dev: false })).toContain('(bundle_not_found)');
    expect(await hook(start('other'), { agent: 'nobody' })).toContain('(agent_not_found)');
  });

  test('says in one sentence what to run in a clone that is not compiled, and compiles nothing', async () => {
    const { repo, hook } = project;
    const clone = join(tempFolder(), 'clone');
    repo.git('clone', '--quiet', repo.path, clone);
    const before = readdirSync(clone);
    expect(await hook(start('second'), {}, clone)).toMatch(/^Tell the user that [^.]*`vade compile --dev`[^.]*\.$/);
    expect(readdirSync(clone)).toEqual(before);
  });

  test('removes the memories of sessions that ended long ago', async () => {
    const memories = join(project.repo.path, '.vade/hook');
    await project.hook(start('recent'));
    const count = readdirSync(memories).length;
    writeFileSync(join(memories, 'old'), '');
    utimesSync(join(memories, 'old'), 0, 0);
    await project.hook(start('recent', 'resume'));
    expect(readdirSync(memories)).toHaveLength(count);
  });

  test('brings the instructions also where the capsules cannot be read, and says so', async () => {
    project.repo.write('capsules', 'a file where the folder of capsules would be\n');
    const text = await project.hook(start('capsules'), { continuity: 'capsules' });
    expect(text).toMatch(/You are \*\*Assistant\*\*[^]*could not be read \(\w+\)/);
  });

  test('works where nothing can be remembered', async () => {
    const { repo, hook } = project;
    rmSync(join(repo.path, '.vade/hook'), { recursive: true, force: true });
    repo.write('.vade/hook', 'a file where the folder of memories would be\n');
    expect(await hook(start('unkept'))).toContain('You are **Assistant**');
    rmSync(join(repo.path, '.vade/hook'));
  });
});

describe('A start of a sub-agent', () => {
  const reviewer = (server: string) =>
    project.repo.write('.claude/agents/reviewer.md', `---\nname: reviewer\n${server}---\n\nReview.\n`);

  test('brings the boot stub of the agent of the session', async () => {
    expect(await project.hook(subagent('explore'))).toContain('You are **Assistant**');
  });

  test('§21.4.5: a sub-agent with the name of another agent is instructed as the session is', async () => {
    const text = await project.hook(subagent('other', 'named'), { subagent: [] });
    expect(text).toContain('You are **Assistant**');
  });

  test('§21.4.5: another agent needs a flag and a server of the sub-agent’s own that answers as it', async () => {
    const flags = { subagent: ['reviewer=nobody'] };
    const own = 'mcpServers:\n  - vademecum:\n      command: vade\n      args: [mcp, --dev, --agent, nobody]\n';
    reviewer('');
    expect(await project.hook(subagent('reviewer', 'a'), flags)).toContain('You are **Assistant**');
    reviewer(own);
    expect(await project.hook(subagent('reviewer', 'b'), { subagent: [] })).toContain('You are **Assistant**');
    reviewer(own.replace('nobody', 'assistant'));
    expect(await project.hook(subagent('reviewer', 'c'), flags)).toContain('You are **Assistant**');
    reviewer(own);
    await expect(project.hook(subagent('reviewer', 'd'), flags)).rejects.toMatchObject({ code: 'agent_not_found' });
  });
});
