import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { promptKey } from '../../../compiler/capabilities/gate/caller.ts';
import { openLedger } from '../../../compiler/tasks/ledger/open-ledger.ts';
import { giveWorktree } from '../../../compiler/tasks/use-cases/give-worktree.ts';
import { sha256 } from '../../../compiler/trust/canonical.ts';
import { tempFolder } from '../../support/folder.ts';
import { ORCHESTRATOR, spawnRow } from '../../support/planned.ts';
import { newSigner } from '../../support/staff.ts';

const EVENT = { hook_event_name: 'WorktreeCreate', session_id: 's', cwd: '/' };
const coded = (code: string) => expect.objectContaining({ code }) as unknown;

/** A folder of bindings with spawned agents, each with a prompt of its own, and what a session started. */
function place(...agents: readonly string[]) {
  const tasks = tempFolder();
  for (const it of ['prompts', 'starts']) mkdirSync(join(tasks, it));
  writeFileSync(join(tasks, 'orchestrator.pem'), ORCHESTRATOR.publicPem);
  const ledger = openLedger(join(tasks, 'ledger.db'));
  const promptOf = (agent: string) => `The prompt of ${agent}.`;
  for (const it of agents) {
    ledger.append(spawnRow(it, { prompt: sha256(promptOf(it)) }), ORCHESTRATOR);
    writeFileSync(join(tasks, 'prompts', `${sha256(promptOf(it))}.md`), promptOf(it));
  }
  ledger.close();
  const noted = join(tasks, 'starts', sha256('s'));
  const starts = (...keys: readonly string[]) => {
    writeFileSync(noted, keys.map((it) => promptKey(promptOf(it))).join('\n'));
  };
  const give = (isDry = false, orchestrator = ORCHESTRATOR.keyid, event: object = EVENT) =>
    giveWorktree(JSON.stringify(event), { tasks, orchestrator, 'dry-run': isDry });
  const prompt = (agent: string) => join(tasks, 'prompts', `${sha256(promptOf(agent))}.md`);
  return { tasks, noted, starts, give, prompt, keyOf: (it: string) => promptKey(promptOf(it)) };
}

test('a session is given the agent whose prompt it started, and that start is used up', () => {
  const { tasks, noted, starts, give, keyOf } = place('one', 'two');
  starts('two', 'other');
  expect(give()).toEqual({ agent_id: 'two', worktree: '/work/two' });
  expect(existsSync(join(tasks, 'given/two'))).toBe(true);
  expect(readFileSync(noted, 'utf8')).toBe(keyOf('other'));
  expect(() => give()).toThrow(coded('agent_not_found'));
});

test('of a start that was noted twice one is left', () => {
  const { noted, starts, give, keyOf } = place('one');
  starts('one', 'one');
  give();
  expect(readFileSync(noted, 'utf8')).toBe(keyOf('one'));
});

test('a dry run tells who would be given, and gives and forgets nothing', () => {
  const { tasks, noted, starts, give } = place('one', 'two');
  starts('one');
  expect([give(true), give(true)]).toEqual(Array(2).fill({ agent_id: 'one', worktree: '/work/one' }));
  expect(existsSync(join(tasks, 'given'))).toBe(false);
  starts('one', 'two');
  expect(() => give(true)).toThrow(coded('call_denied'));
  expect(existsSync(noted)).toBe(true);
});

test('a session that starts two different agents is given none, and begins again', () => {
  const { noted, starts, give } = place('one', 'two');
  starts('one', 'two');
  expect(() => give()).toThrow(coded('call_denied'));
  expect(existsSync(noted)).toBe(false);
});

test('a session that started nobody is given nobody', () => {
  expect(() => place('one').give()).toThrow(coded('agent_not_found'));
});

test('an agent whose prompt is gone or was altered waits for nobody, and keeps no other from its worktree', () => {
  const { starts, give, prompt } = place('one', 'two', 'three');
  rmSync(prompt('one'));
  writeFileSync(prompt('two'), 'The prompt of three.');
  starts('three');
  expect(give().agent_id).toBe('three');
  starts('two');
  expect(() => give()).toThrow(coded('agent_not_found'));
});

test('neither a prompt nor the notes of a session are read through a link', () => {
  const { noted, starts, give, prompt } = place('one');
  starts('one');
  const kept = join(tempFolder(), 'kept');
  writeFileSync(kept, readFileSync(prompt('one')));
  rmSync(prompt('one'));
  symlinkSync(kept, prompt('one'));
  expect(() => give()).toThrow();
  rmSync(prompt('one'));
  writeFileSync(prompt('one'), readFileSync(kept));
  writeFileSync(kept, readFileSync(noted));
  rmSync(noted);
  symlinkSync(kept, noted);
  expect(() => give()).toThrow();
  rmSync(noted);
  writeFileSync(noted, readFileSync(kept));
  expect(give().agent_id).toBe('one');
});

test('a worktree that somebody was given before is given to nobody', () => {
  const { tasks, starts, give } = place('one');
  mkdirSync(join(tasks, 'given'));
  writeFileSync(join(tasks, 'given/one'), '');
  starts('one');
  expect(() => give()).toThrow(coded('agent_not_found'));
});

test('an agent that another key sealed is given to nobody', () => {
  const { tasks, starts, give } = place('one');
  starts('one');
  const other = newSigner();
  writeFileSync(join(tasks, 'orchestrator.pem'), other.publicPem);
  expect(() => give()).toThrow(coded('bundle_unverified'));
  expect(() => give(false, other.keyid)).toThrow(coded('bundle_unverified'));
  rmSync(join(tasks, 'orchestrator.pem'));
  expect(() => give()).toThrow(coded('bundle_unverified'));
});

test('a folder by a relative path and an event of another kind are refused, and without a ledger there is nobody', () => {
  const { give } = place('one');
  const flags = { orchestrator: ORCHESTRATOR.keyid, 'dry-run': false };
  expect(() => giveWorktree('{', { ...flags, tasks: 'here' })).toThrow(
    expect.objectContaining({ code: 'argument_invalid', details: { flag: 'tasks' } }),
  );
  expect(() => give(false, ORCHESTRATOR.keyid, { ...EVENT, hook_event_name: 'Stop' })).toThrow(
    coded('argument_invalid'),
  );
  const empty = tempFolder();
  expect(() => giveWorktree('{', { ...flags, tasks: empty })).toThrow(coded('agent_not_found'));
  expect(existsSync(join(empty, 'ledger.db'))).toBe(false);
});
