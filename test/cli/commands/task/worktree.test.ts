import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { noteStart } from '../../../../compiler/capabilities/gate/caller.ts';
import { diskStore } from '../../../../compiler/capabilities/gate/disk-store.ts';
import { giveWorktree } from '../../../../compiler/tasks/use-cases/give-worktree.ts';
import { orchestrated, type Orchestrated } from '../../../support/orchestrated.ts';
import { newSigner } from '../../../support/staff.ts';
import { taskToml } from '../../../support/tasks.ts';

interface Agent {
  readonly agent_id: string;
  readonly worktree: string;
  readonly prompt: string;
}

let place: Orchestrated;
let tasks: string;
beforeAll(async () => {
  place = await orchestrated(undefined, ['read-only']);
  tasks = join(place.repo.path, '.git/vade');
});

beforeEach(async () => {
  await place.tasks('clean', '--all');
  for (const it of ['starts', 'given']) rmSync(join(tasks, it), { recursive: true, force: true });
});

async function spawn(id: string): Promise<Agent> {
  place.task(id, taskToml('read-only', `Read ${id}.`));
  await place.tasks('compose', '--task', id, ...place.trust);
  const { data } = (await place.tasks('spawn', '--task', id, ...place.trust)).envelope();
  writeFileSync(join(tasks, 'orchestrator.pem'), place.orchestrator.publicPem);
  const { input } = data['call'] as { input: { prompt: string } };
  return { agent_id: String(data['agent_id']), worktree: String(data['worktree']), prompt: input.prompt };
}

/** A session starts an agent: the gate is asked about the call. */
function starts(session_id: string, { prompt }: { readonly prompt: string }): void {
  const store = diskStore(tasks, { key: '', root: '' }, 0);
  const tool_input = { prompt, isolation: 'worktree' };
  noteStart({ hook_event_name: 'PreToolUse', session_id, cwd: '/', tool_name: 'Agent', tool_input }, store);
}

const give = (session_id: string, isDry = false, orchestrator = place.orchestrator.keyid) =>
  giveWorktree(JSON.stringify({ hook_event_name: 'WorktreeCreate', session_id, cwd: '/', name: 'agent-1' }), {
    tasks,
    orchestrator,
    'dry-run': isDry,
  });
const coded = (code: string) => expect.objectContaining({ code }) as unknown;

describe('vade task worktree', () => {
  test('a session is given the worktree of the agent whose prompt it started, once', async () => {
    const [one, two] = [await spawn('one'), await spawn('two')];
    starts('s', { prompt: `${two.prompt.replaceAll('\n', '\n  ')}\n` });
    expect(give('s', true).worktree).toBe(two.worktree);
    expect(give('s')).toEqual({ agent_id: two.agent_id, worktree: two.worktree });
    expect(() => give('s')).toThrow(coded('agent_not_found'));
    starts('s', one);
    expect(give('s').worktree).toBe(one.worktree);
  });

  test('two agents of one task have one prompt, and either worktree is right', async () => {
    const one = await spawn('one');
    const again = (await place.tasks('spawn', '--task', 'one', ...place.trust)).envelope().data;
    for (const it of [one, one]) starts('s', it);
    expect([give('s').worktree, give('s').worktree]).toEqual([one.worktree, again['worktree']]);
  });

  test('a prompt that was changed, and an agent that was revoked, are given nothing', async () => {
    const one = await spawn('one');
    starts('s', { prompt: one.prompt.replace('MUST', 'MAY') });
    expect(() => give('s')).toThrow(coded('agent_not_found'));
    starts('s', one);
    await place.tasks('revoke', '--agent', one.agent_id, '--reason', 'enough');
    expect(() => give('s')).toThrow(coded('agent_not_found'));
  });

  test('another key beside the bindings than the hook names counts for nothing', async () => {
    starts('s', await spawn('one'));
    expect(() => give('s', false, newSigner().keyid)).toThrow(coded('bundle_unverified'));
  });
});

describe('vade capability install --worktree-hook', () => {
  const capability = (command: string, ...args: string[]) =>
    place.run(['capability', command, '--settings', join(place.home, 'settings.json'), ...args], { HOME: place.home });
  const settings = () => readFileSync(join(place.home, 'settings.json'), 'utf8');

  test('the host is told of it beside the gate, a second time changes nothing, and uninstall takes both', async () => {
    writeFileSync(join(place.home, 'settings.json'), '{\n  "model": "x"\n}\n');
    const install = () => capability('install', ...place.trust, '--orchestrator', place.keyFile, '--worktree-hook');
    expect((await install()).envelope().data['effect']).toBe('changed');
    expect((await install()).envelope().data['effect']).toBe('noop');
    const { hooks } = JSON.parse(settings()) as { hooks: Record<string, { hooks: { command: string }[] }[]> };
    expect(Object.keys(hooks)).toEqual(['PreToolUse', 'WorktreeCreate']);
    const command = hooks['WorktreeCreate']?.[0]?.hooks[0]?.command ?? '';
    expect(command).toContain(`task worktree --tasks '${tasks}' --orchestrator ${place.orchestrator.keyid}`);
    await capability('uninstall');
    expect(settings()).toBe('{\n  "model": "x"\n}\n');
  });
});
