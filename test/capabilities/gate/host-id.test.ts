import { describe, expect, test } from 'vitest';
import { answerEvent } from '../../../compiler/capabilities/gate/answer-event.ts';
import { promptKey } from '../../../compiler/capabilities/gate/caller.ts';
import { sha256 } from '../../../compiler/capabilities/gate/open-sealed.ts';
import { gateOn } from '../../support/gate.ts';

const WRITE = { file_path: 'src/main.ts', content: '' };

describe('the id that a host gives an agent', () => {
  test('the first call from the worktree binds it, in every later session and folder', () => {
    const { ask, root, store, binding } = gateOn();
    const elsewhere = { agent_id: 'host-7', session_id: 's2', cwd: `${root}/home` };
    expect(ask('Write', { ...WRITE, file_path: '/etc/x' }, elsewhere).answer.exit).toBe(0);
    ask('Read', { file_path: 'src/main.ts' }, { agent_id: 'host-7' });
    expect(store.state.get(`agents/${sha256('host-7')}`)).toBe(sha256(binding.worktree));
    expect(ask('Write', { ...WRITE, file_path: '/etc/x' }, { ...elsewhere, session_id: 's3' }).answer.exit).toBe(2);
  });

  test('a call without such an id binds none, and neither does one from elsewhere', () => {
    const { ask, root, store } = gateOn();
    const before = [...store.state.keys()].filter((it) => it.startsWith('agents/'));
    ask('Read', { file_path: 'src/main.ts' });
    ask('Read', { file_path: 'x' }, { agent_id: 'host-8', session_id: 's9', cwd: `${root}/home` });
    expect([...store.state.keys()].filter((it) => it.startsWith('agents/'))).toEqual(before);
  });
});

describe('an agent that a bound agent starts', () => {
  test('is bound as that one, in its session only, and never the person', () => {
    const { ask, root, store, binding } = gateOn(() => ({ spawns: ['x'] }));
    const first = { session_id: 's9', agent_id: 'host-7' };
    const elsewhere = (event: object) =>
      ask('Write', { ...WRITE, file_path: '/etc/x' }, { cwd: `${root}/home`, ...event }).answer.exit;
    const all = () => [
      elsewhere({ session_id: 's9', agent_id: 'sub' }),
      elsewhere({ session_id: 's8', agent_id: 'sub' }),
      elsewhere({ session_id: 's9' }),
    ];
    expect(all()).toEqual([0, 0, 0]);
    for (const _ of [1, 2]) expect(ask('Agent', { subagent_type: 'x' }, first).answer.exit).toBe(0);
    expect(all()).toEqual([2, 0, 0]);
    expect(store.state.get(`heirs/${sha256('s9')}`)).toBe(sha256(binding.worktree));
  });
});

test('a bound agent that goes into a folder of agents without a binding is denied there', () => {
  const { ask, root } = gateOn();
  const read = (cwd?: string) => ask('Read', { file_path: 'x' }, cwd === undefined ? {} : { cwd }).answer.exit;
  expect([read(), read(`${root}/home`), read(`${root}/trees/other`)]).toEqual([0, 0, 2]);
});

test('where no folder is for agents, an unbound session is a person’s wherever it is', () => {
  const { root, world, own } = gateOn();
  const call = {
    hook_event_name: 'PreToolUse',
    session_id: 's',
    cwd: `${root}/trees/other`,
    tool_name: 'Read',
    tool_input: {},
  };
  const exits = [world, { ...world, worktrees: null }].map(
    (it) => answerEvent(JSON.stringify(call), it, own).answer.exit,
  );
  expect(exits).toEqual([2, 0]);
});

describe('an agent that a session starts in a worktree of its own', () => {
  const start = (prompt: unknown, isolation?: string) => ({ subagent_type: 'edit-local', prompt, isolation });
  const own = (root: string) => ({ cwd: `${root}/home`, session_id: 'own' });

  test('its prompt is noted, whatever white space the host made of it', () => {
    const { ask, root, store } = gateOn();
    expect(ask('Agent', start('# Task\n\nMend it.\n', 'worktree'), own(root)).answer.exit).toBe(0);
    expect(store.state.get(`starts/${sha256('own')}`)).toBe(promptKey('# Task Mend it.'));
  });

  test('a bound agent that may start it is noted as a person is', () => {
    const { ask, store } = gateOn(() => ({ spawns: ['edit-local'] }));
    expect(ask('Agent', start('Mend it.', 'worktree')).answer.exit).toBe(0);
    expect(store.state.get(`starts/${sha256('s1')}`)).toBe(promptKey('Mend it.'));
  });

  test('one without a worktree of its own is not noted, nor one that the gate denies', () => {
    const { ask, root, store } = gateOn();
    ask('Agent', start('x'), own(root));
    ask('Agent', start(7, 'worktree'), own(root));
    expect(ask('Agent', start('x', 'worktree')).answer.exit).toBe(2);
    expect([...store.state.keys()].filter((it) => it.startsWith('starts/'))).toEqual([]);
  });

  test('a session that starts thousands is remembered for the last of them', () => {
    const { ask, root, store } = gateOn();
    for (let at = 0; at < 40; at++) ask('Agent', start(`task ${at}`, 'worktree'), own(root));
    const noted = store.state.get(`starts/${sha256('own')}`)?.split('\n');
    expect(noted).toHaveLength(16);
    expect(noted?.at(-1)).toBe(promptKey('task 39'));
  });
});
