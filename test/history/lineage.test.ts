import { describe, expect, test } from 'vitest';
import { publish } from '../io/published.ts';
import { smallDeployment, unitFile, type Repository } from '../support/repository.ts';

const FILE = 'instructions/agents/cto/wrap-up.md';
const text = (body: string) => unitFile('How to leave work', [], '', body);

function started(): Repository {
  const repo = smallDeployment().write(FILE, text('One.'));
  repo.commit();
  return repo;
}

/** Puts two commits of `wrap-up` on a branch of their own. */
function branchOff(repo: Repository): Repository {
  repo.git('switch', '--quiet', '--create', 'topic');
  repo.write(FILE, text('Draft.')).commit('draft', undefined, 'Grace Hopper <grace@example.com>');
  repo.write(FILE, text('Final.')).commit('final', undefined, 'Grace Hopper <grace@example.com>');
  repo.git('switch', '--quiet', 'main');
  return repo;
}

describe('DESIGN §6.2 history follows first parents', () => {
  test('a merge is one change, however many commits its branch has', async () => {
    const repo = branchOff(started());
    repo.git('merge', '--quiet', '--no-ff', '--message', 'merge', 'topic');
    const { versions, root } = await publish(repo.path);
    expect(versions('wrap-up').map((it) => it.content.split('\n').at(-2))).toEqual(['One.', 'Final.']);
    expect(versions('wrap-up')[1]?.commit).toBe(repo.git('rev-parse', 'HEAD').trim());
    expect(root.serial).toBe(2);
  });

  test('a merge into a main with new commits counts only what the merge changed', async () => {
    const repo = branchOff(started());
    repo.write('instructions/agents/cto/heartbeat.md', unitFile('Every heartbeat', [], '', 'Again.')).commit();
    repo.git('merge', '--quiet', '--no-ff', '--message', 'merge', 'topic');
    const { versions } = await publish(repo.path);
    expect(versions('wrap-up').map((it) => it.version)).toEqual([1, 2]);
    expect(versions('heartbeat').map((it) => it.version)).toEqual([1, 2]);
  });

  test('a merge that keeps our side changes nothing', async () => {
    const repo = branchOff(started());
    const before = await publish(repo.path);
    repo.git('merge', '--quiet', '--strategy=ours', '--message', 'merge', 'topic');
    const after = await publish(repo.path, { trust: before.trust });
    expect(after.bundle.revision).toBe(before.bundle.revision);
  });

  test('an octopus merge is one change', async () => {
    const repo = branchOff(started());
    repo.git('switch', '--quiet', '--create', 'other', 'main');
    repo.write('instructions/agents/cto/heartbeat.md', unitFile('Every heartbeat', [], '', 'Again.')).commit();
    repo.git('switch', '--quiet', 'main');
    repo.git('merge', '--quiet', '--no-ff', '--message', 'merge', 'topic', 'other');
    const { versions, manifest } = await publish(repo.path);
    expect([...versions('wrap-up'), ...versions('heartbeat')].map((it) => it.version)).toEqual([1, 2, 1, 2]);
    expect(manifest().manifest_version).toBe('v2');
  });
});

describe('§21.4.3 provenance', () => {
  test('authored_at is the time of writing, and created_at the time of the commit', async () => {
    const repo = started();
    repo.write(FILE, text('Two.')).git('add', '--all');
    repo.git('commit', '--quiet', '--message', 'late', '--date', '2024-02-29T12:00:00Z');
    const [v1, v2] = (await publish(repo.path)).versions('wrap-up');
    expect(v2?.authored_at).toBe('2024-02-29T12:00:00Z');
    expect(v2!.created_at > v1!.created_at).toBe(true);
  });

  test.each([
    ['the year 9999', '@253402300799', '9999-12-31T23:59:59Z'],
    ['1970', '@1', '1970-01-01T00:00:01Z'],
    ['the year 10000', '@253402300800', expect.stringMatching(/^\d{4}-/) as string],
    ['the end of time', '@9999999999999', expect.stringMatching(/^\d{4}-/) as string],
  ])('an author date of %s gives a valid authored_at', async (_, seconds, instant) => {
    const repo = started();
    repo.write(FILE, text('Two.')).git('add', '--all');
    repo.git('commit', '--quiet', '--message', 'odd clock', '--date', `${seconds} +0000`);
    expect((await publish(repo.path)).versions('wrap-up')[1]?.authored_at).toEqual(instant);
  });
});
