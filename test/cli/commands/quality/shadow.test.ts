import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { beforeAll, describe, expect, test } from 'vitest';
import type { AgentMetrics } from '../../../../compiler/schema/api/metrics.ts';
import type { Shadow, ShadowHeartbeat } from '../../../../compiler/schema/report/shadow.ts';
import type { Ran } from '../../../support/cli.ts';
import { inMode } from '../../../support/evidence.ts';
import { toldBy } from '../../../support/staffed.ts';
import { migrating, WEEK, type Migrating } from '../../migrating.ts';

const shadowOf = (ran: Ran) => ran.envelope().data['shadow'] as Shadow;
const code = (ran: Ran) => [ran.code, ran.envelope().error.code.toLowerCase()];

/** The rules that a refusal reports as not met. */
function broken(ran: Ran): string[] {
  const rules = ran.envelope().error.context['rules'] as Shadow['rules'];
  return rules.filter((it) => !it.met).map((it) => it.rule);
}

const approvals = ({ repo }: Migrating) => readdirSync(join(repo.path, 'instructions/approvals'));

describe('§21.6.2 vade shadow', () => {
  let place: Migrating;

  beforeAll(async () => {
    place = await migrating('coexistence');
    await place.serveHeartbeats([
      ...WEEK,
      { day: 3, id: 'hb-again', report: { used: ['wrap-up'], missed: ['heartbeat', 'on-call'] } },
      { day: 4, id: 'hb-silent', report: {} },
      { day: 5, id: 'hb-open', report: null },
      { day: 6, id: null, report: { used: ['wrap-up'] } },
      { day: 9, id: 'hb-late', report: { missed: ['heartbeat'] } },
    ]);
  });

  test('vade shadow compares each heartbeat with eager loading, whose larger part is the legacy file', async () => {
    const ran = await place.shadow(0.6, 8);
    expect(ran.code).toBe(0);
    const shadow = shadowOf(ran);
    expect(shadow).toMatchObject({
      ...{ agent: 'cto', mode: 'coexistence', next: 'stigmem', by_others: 0 },
      heartbeats: { total: 10, judged: 8 },
      recalls: { total: 11, unattributed: 1, unclosed: 1, silent: 1, events: 9 },
      ...{ used: 9, missed: 2, miss_rate: 0.1818, unknown: ['on-call'] },
    });
    const { tokens } = shadow;
    expect(tokens.eager).toBe(10 * tokens.everything);
    expect(tokens.everything).toBeGreaterThan(400);
    expect(tokens.lazy).toBeGreaterThan(10 * tokens.stub);
    expect(tokens.share).toBe(Math.round((tokens.lazy / tokens.eager) * 10_000) / 10_000);
  });

  test('vade shadow uses the same eager token counts as the live metrics', async () => {
    const { everything } = shadowOf(await place.shadow(0.6, 8)).tokens;
    const ran = await place.run(['metrics', '--agent', 'cto', '--since', '30d', ...place.trust]);
    const [cto] = ran.envelope().data['agents'] as AgentMetrics[];
    expect(cto?.tokens).toMatchObject({ heartbeats: 11, eager: 11 * everything });
  });

  test('vade shadow lists heartbeats newest first, and counts the omitted ones', async () => {
    const { data } = (await place.shadow(0.6, 8, '--limit', '3')).envelope();
    const listed = data['listed'] as ShadowHeartbeat[];
    expect([listed.length, data['omitted']]).toEqual([3, 7]);
    expect(listed.map((it) => it.at)).toEqual([...listed.map((it) => it.at)].sort().reverse());
  });

  test('vade shadow reports which rules the agent meets, and changes nothing', async () => {
    const ran = await place.shadow(0.6, 8);
    const rules = Object.fromEntries(shadowOf(ran).rules.map((it) => [it.rule, it.met]));
    expect(rules).toEqual({ heartbeats: true, window: true, miss_rate: false, audit_covers_window: true });
    expect(ran.envelope().data['effect']).toBe('noop');
  });

  test('vade shadow refuses an end in the future, an unknown agent and a missing audit', async () => {
    expect(code(await place.run(['shadow', '--agent', 'cto', '--until', '2999-01-01', ...place.trust]))).toEqual([
      ...[3, 'argument_invalid'],
    ]);
    expect(code(await place.run(['shadow', '--agent', 'ops', ...place.trust]))).toEqual([5, 'agent_not_found']);
    expect(code(await place.shadow(1, 8, '--audit', 'none.db'))).toEqual([5, 'audit_not_found']);
  });

  test('vade shadow --attest refuses if a rule is not met, and names every rule', async () => {
    const ran = await place.attest(place.ann, 0.6, 8);
    expect(code(ran)).toEqual([4, 'evidence_insufficient']);
    expect(broken(ran)).toEqual(['miss_rate']);
    expect(broken(await place.attest(place.ann, 5.5, 8))).toEqual(['heartbeats', 'window']);
    expect(broken(await place.attest(place.ann, 0.1, 7.9))).toContain('audit_covers_window');
    expect(broken(await place.attest(place.ann, -3, 8))).toContain('window_in_stage');
  });
});

describe('§21.6.2 vade shadow --attest', () => {
  test('a week without misses is attested and committed, and allows the promotion', async () => {
    const place = await migrating('coexistence');
    await place.serveHeartbeats(WEEK);
    const dry = await place.attest(place.ann, 0.6, 8, '--dry-run');
    expect([dry.code, dry.envelope().data['effect']]).toEqual([0, 'would_create']);
    const ran = await place.attest(place.ann, 0.6, 8);
    expect(ran.envelope().data).toMatchObject({
      effect: 'created',
      evidence: { by: place.ann.entity, signatures: 1, needed: 1 },
    });
    expect((await place.attest(place.ann, 0.6, 8)).envelope().data['effect']).toBe('noop');
    place.commitOn(8.5, 'evidence');
    inMode(place.repo, 'stigmem');
    place.commitOn(9, 'promote');
    const compiled = await place.compile();
    expect([compiled.code, toldBy(compiled).filter((it) => it.startsWith('migration_'))]).toEqual([0, []]);
    expect(code(await place.attest(place.ann, 0.6, 8))).toEqual([3, 'argument_invalid']);
  });

  test('without evidence a compile refuses the promotion, and --dev does not help a sensitive agent', async () => {
    const place = await migrating('coexistence', {}, 'sensitive: true\n');
    inMode(place.repo, 'stigmem', 'sensitive: true\n');
    place.commitOn(9);
    expect(toldBy(await place.compile())).toContain('migration_evidence_missing');
    const dev = await place.run(['compile', '--dev', '--out', 'bundle-dev', '--skip-coverage-gate']);
    expect([dev.code, toldBy(dev)]).toEqual([4, expect.arrayContaining(['migration_evidence_missing'])]);
  });

  test('five heartbeats are enough to leave mode file', async () => {
    const place = await migrating('file');
    await place.serveHeartbeats(WEEK.slice(0, 4));
    expect(broken(await place.attest(place.ann, 0.6, 8))).toEqual(['heartbeats']);
    await place.serveHeartbeats(WEEK.slice(4), 4.5);
    expect((await place.attest(place.ann, 0.6, 7.5)).code).toBe(0);
    place.commitOn(8, 'evidence');
    inMode(place.repo, 'coexistence');
    place.commitOn(9, 'coexist');
    expect((await place.compile()).code).toBe(0);
  });

  test('administrators who attest the same figures sign one file, although the audit continued', async () => {
    const place = await migrating('coexistence', { thresholds: { approval: 2, withdrawal: 1, rollback: 1 } });
    await place.serveHeartbeats(WEEK);
    const first = await place.attest(place.ann, 0.6, 8);
    expect(first.envelope().data).toMatchObject({ evidence: { signatures: 1, needed: 2 } });
    await place.serveHeartbeats([{ day: 8.2, report: { missed: ['heartbeat'] } }], 8.1);
    const second = await place.attest(place.bob, 0.6, 8);
    expect(second.envelope().data).toMatchObject({ effect: 'updated', evidence: { signatures: 2 } });
    expect(approvals(place)).toHaveLength(1);
    place.commitOn(8.5, 'evidence');
    inMode(place.repo, 'stigmem');
    place.commitOn(9, 'promote');
    expect((await place.compile()).code).toBe(0);
  });

  test('only administrators can attest', async () => {
    const place = await migrating('coexistence');
    await place.serveHeartbeats(WEEK);
    expect(code(await place.attest(place.eve, 0.6, 8))).toEqual([4, 'signing_key_required']);
    expect(code(await place.shadow(0.6, 8, '--attest'))).toEqual([4, 'signing_key_required']);
  });

  test('vade shadow --attest refuses an audit that was changed', async () => {
    const place = await migrating('coexistence');
    await place.serveHeartbeats(WEEK);
    const db = new Database(join(place.repo.path, 'audit.db'));
    db.exec(
      "DROP TRIGGER entries_keep; DROP TRIGGER entries_stay; DELETE FROM entries WHERE type = 'closing' AND n = 5",
    );
    db.close();
    expect(code(await place.attest(place.ann, 0.6, 8))).toEqual([7, 'audit_unverified']);
  });

  test('vade shadow --attest refuses a bundle that was not compiled from the commit', async () => {
    const place = await migrating('coexistence');
    await place.serveHeartbeats(WEEK);
    const unit = readFileSync(join(place.repo.path, 'instructions/agents/cto/heartbeat.md'), 'utf8');
    place.repo.write('instructions/agents/cto/heartbeat.md', `${unit}\nMore.\n`);
    place.commitOn(7.5);
    expect(broken(await place.attest(place.ann, 0.6, 8))).toEqual(['bundle_current']);
  });
});
