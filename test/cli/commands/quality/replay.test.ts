import { beforeAll, describe, expect, test } from 'vitest';
import type { ReplayReport } from '../../../../compiler/schema/report/replay-report.ts';
import { CTO_ID } from '../../../server/deployment.ts';
import type { Ran } from '../../../support/cli.ts';
import { audited, ctoUnit, type Audited } from '../../audited.ts';
import { failure } from '../../failing.ts';

const reportOf = (ran: Ran) => ran.envelope().data as unknown as ReplayReport;
const reportOfError = (ran: Ran) => ran.envelope().error.context as unknown as ReplayReport;
const replay = (place: Audited, bundle = place.bundle, ...more: string[]) =>
  place.run(['replay'], '--bundle', bundle, ...more);

/** Gives the triggers of one unit to another. */
const swap = ({ repo }: Audited) => {
  ctoUnit(repo, 'incident', 'How a rota is made', ['plan the rota']);
  ctoUnit(repo, 'wrap-up', 'How to lead an incident', ['production is down', 'done for today']);
  repo.commit('swap');
};

describe('§21.5.3 replay with the revision that answered', () => {
  let place: Audited;

  beforeAll(async () => {
    place = await audited();
    for (const intent of ['production is down', 'done for today', 'decide on a release', 'zqx vbn', 'half \ud83d'])
      await place.say(intent);
    await place.say('hand over', { more: { max_chunks: 4, token_budget: 40, manifest_hint: ['incident', 'ghost'] } });
    await place.say('hand over `incident`', { used_chunks: ['incident'] });
  });

  test('with the revision that answered, every answer is identical in order and text, and no intent is printed', async () => {
    const ran = await replay(place);
    expect(ran.code).toBe(0);
    const { total, proof, not_replayed, read, changed, agents, revision } = reportOf(ran);
    expect([read, proof, not_replayed, changed]).toEqual([7, { replayed: 7, differing: 0 }, {}, []]);
    expect(total).toMatchObject({ replayed: 7, identical: 7, tokens: { change: 0 } });
    expect(agents).toMatchObject([{ agent: 'cto', agent_id: CTO_ID, replayed: 7 }]);
    expect(revision).toBe(place.server.revision);
    expect(ran.stdout + ran.stderr).not.toMatch(/production is down/);
  });

  test('a row that differs in units, order, texts or tokens is an error that names it', async () => {
    const forged = await audited();
    const set = (where: string, key: string, value: string) =>
      `UPDATE entries SET body = json_set(body, '$.${key}', ${value})
       WHERE seq = (SELECT seq FROM intents WHERE text = '${where}');`;
    for (const intent of ['production is down', 'hand over', 'decide on a release', 'start a heartbeat', 'spend money'])
      await forged.say(intent, { more: { max_chunks: 2 } });
    await forged.tampered(
      set('production is down', 'loaded_chunks[0][0]', "'budget'") +
        set('hand over', 'answer_digest', `'${'A'.repeat(43)}'`) +
        set('decide on a release', 'tokens', '1') +
        set(
          'start a heartbeat',
          'loaded_chunks',
          `json_array(body -> '$.loaded_chunks[1]', body -> '$.loaded_chunks[0]')`,
        ),
    );
    const ran = await replay(forged);
    expect(failure(ran)).toEqual([7, 'REPLAY_DIFFERS']);
    expect(reportOfError(ran).proof).toEqual({ replayed: 5, differing: 4 });
    expect(reportOfError(ran).changed).toHaveLength(4);
    expect(reportOfError(ran).changed[0]).toMatchObject({
      verdict: 'different',
      dropped: ['budget'],
      gained: ['incident'],
    });
  });

  test('vade replay is limited by --agent and by a time window', async () => {
    expect(reportOf(await replay(place, place.bundle, '--agent', 'ct'))).toMatchObject({ read: 0, agents: [] });
    expect(reportOf(await replay(place, place.bundle, '--agent', CTO_ID)).read).toBe(7);
    expect(reportOf(await replay(place, place.bundle, '--agent', 'cto', '--since', '1h')).read).toBe(7);
    const ran = await replay(place, place.bundle, '--until', '2020-01-01');
    expect(reportOf(ran).read).toBe(0);
    expect(ran.envelope().warnings).toMatchObject([{ code: 'NOTHING_REPLAYED' }]);
  });

  test('vade replay refuses what it cannot repeat', async () => {
    expect(failure(await replay(place, place.bundle, '--agent', 'ghost'))).toEqual([5, 'AGENT_NOT_FOUND']);
    expect(failure(await replay(place, place.bundle, '--audit', 'none.db'))).toEqual([5, 'AUDIT_NOT_FOUND']);
    expect(failure(await replay(place, 'nowhere'))).toEqual([5, 'BUNDLE_NOT_FOUND']);
    expect(failure(await replay(place, place.bundle, '--since', 'yesterday'))).toEqual([3, 'ARGUMENT_INVALID']);
    expect(failure(await replay(place, place.bundle, '--until', 'all'))).toEqual([3, 'ARGUMENT_INVALID']);
  });
});

describe('§21.5.3 replay on a new bundle', () => {
  let place: Audited;
  let next: string;

  beforeAll(async () => {
    place = await audited();
    await place.say('production is down', { used_chunks: ['incident'] });
    await place.say('production is down now', { missed_chunks: ['wrap-up'] });
    await place.say('production is down', {});
    await place.say('decide on a release', { used_chunks: ['release-decision'] });
    swap(place);
    next = await place.compiled(place.bundle);
  });

  test('vade replay with a new bundle lists the changed recalls, worse ones first, with used and missed units and tokens', async () => {
    const ran = await replay(place, next);
    expect(ran.code).toBe(0);
    const { total, proof, changed, omitted } = reportOf(ran);
    expect(proof).toEqual({ replayed: 0, differing: 0 });
    expect(total).toMatchObject({ replayed: 4, worse: 1, better: 1, different: 1, identical: 1, same_units: 0 });
    expect(changed.map((it) => [it.verdict, it.gained, it.dropped])).toEqual([
      ['worse', ['wrap-up'], ['incident']],
      ['different', ['wrap-up'], ['incident']],
      ['better', ['wrap-up'], ['incident']],
    ]);
    expect(omitted).toBe(0);
    const each = changed.reduce((sum, it) => sum + it.tokens, 0);
    expect(total.tokens).toMatchObject({ change: each, after: total.tokens.before + each });
    expect(each).toBeLessThan(0);
    expect(new Set(changed.map((it) => it.revision))).toEqual(new Set([place.server.revision]));
  });

  test('vade replay --limit lists fewer recalls, the worst first, and counts the others', async () => {
    const { changed, omitted, total } = reportOf(await replay(place, next, '--limit', '1'));
    expect([changed.map((it) => it.verdict), omitted, total.worse]).toEqual([['worse'], 2, 1]);
  });

  test('vade replay --report github tells each changed recall, without its intent', async () => {
    const { stderr } = await replay(place, next, '--report', 'github');
    expect(stderr).toMatch(/^::(warning|notice) title=recall (worse|different)::/m);
    expect(stderr).not.toContain('production is down');
  });

  test('vade replay --max-worse fails if more recalls get worse', async () => {
    const ran = await replay(place, next, '--max-worse', '0');
    expect(failure(ran)).toEqual([4, 'REPLAY_REGRESSION']);
    expect(reportOfError(ran).changed[0]).toMatchObject({ verdict: 'worse', dropped: ['incident'] });
    expect((await replay(place, next, '--max-worse', '1')).code).toBe(0);
  });

  test('vade replay prints intents only with --show-intents', async () => {
    const shown = await replay(place, next, '--show-intents');
    expect(reportOf(shown).changed.map((it) => it.intent)).toContain('production is down now');
    const text = await replay(place, next, '--format', 'text');
    expect(text.stdout).toContain('worse: audevent_');
    expect(text.stdout).not.toContain('production is down');
  });

  test('vade replay counts the rows that it cannot repeat, by reason', async () => {
    const other = await audited();
    for (const intent of ['production is down', 'done for today', 'hand over', 'decide on a release'])
      await other.say(intent);
    await other.server.recall('cto2', 'cto2', { intent: 'spend money' });
    await other.tampered(`DROP TRIGGER IF EXISTS intents_keep;
      DELETE FROM intents WHERE text = 'hand over';
      UPDATE entries SET request = NULL, body = json_set(body, '$.request', '{"max_chunks":0}')
        WHERE seq = (SELECT seq FROM intents WHERE text = 'done for today');
      UPDATE entries SET body = json_set(body, '$.kind', 'heartbeat')
        WHERE seq = (SELECT seq FROM intents WHERE text = 'decide on a release')`);
    other.repo.remove('instructions/agents/cto2').commit('without cto2');
    const without = await other.compiled(other.bundle);
    const { not_replayed, read, total } = reportOf(await replay(other, without));
    expect([read, total.replayed]).toEqual([5, 1]);
    expect(not_replayed).toEqual({ agent_unknown: 1, heartbeat: 1, intent_gone: 1, request_unreadable: 1 });
  });
});
