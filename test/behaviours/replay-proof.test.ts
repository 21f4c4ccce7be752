import { appendFileSync, cpSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { WITHDRAWN } from '../../compiler/io/bundle/sidecar-files.ts';
import type { ReplayReport } from '../../compiler/schema/report/replay-report.ts';
import { addWithdrawal, signWithdrawal } from '../../compiler/trust/withdrawal.ts';
import { ann, audited, ctoUnit, type Audited } from '../cli/audited.ts';
import { announce, revisionOf } from '../server/successive.ts';
import type { Ran } from '../support/cli.ts';

const reportOf = (ran: Ran) => ran.envelope().data as unknown as ReplayReport;
const replay = (place: Audited, bundle = place.bundle, ...more: string[]) =>
  place.run(['replay'], '--bundle', bundle, ...more);

describe('replay of each recall on its own bundle', () => {
  test('a replay proves answers of older roots while they are kept, and counts the others', async () => {
    const place = await audited();
    await place.say('production is down');
    ctoUnit(place.repo, 'incident', 'How a rota is made', ['plan the rota']);
    ctoUnit(place.repo, 'wrap-up', 'How to lead an incident', ['production is down']).commit('swap');
    const next = await place.compiled(place.bundle);
    cpSync(next, place.bundle, { recursive: true });
    announce(place.bundle, revisionOf(next));
    await vi.waitFor(
      async () => {
        expect(await place.say('production is down')).toEqual(['wrap-up']);
      },
      { timeout: 30_000 },
    );
    const ran = await replay(place, place.bundle, '--as-recorded');
    expect(ran.code).toBe(0);
    const { proof, revision, total } = reportOf(ran);
    expect([revision, proof.differing, total.identical]).toEqual([null, 0, proof.replayed]);
    expect(proof.replayed).toBe(reportOf(await replay(place)).read);
    const gone = reportOf(await replay(place, next, '--as-recorded'));
    expect(gone.not_replayed['revision_gone']).toBeGreaterThan(0);
    const versions = readdirSync(join(place.bundle, 'gardens/cto')).filter(
      (it) => !readdirSync(join(next, 'gardens/cto')).includes(it),
    );
    appendFileSync(join(place.bundle, 'gardens/cto', versions[0] ?? '', 'facts.json'), ' ');
    const damaged = await replay(place, place.bundle, '--as-recorded');
    expect(reportOf(damaged).not_replayed['revision_unusable']).toBe(gone.not_replayed['revision_gone']);
    expect(damaged.envelope().warnings).toMatchObject([{ code: 'REVISION_UNUSABLE' }]);
  });
});

describe('DESIGN §7 replay and withdrawals', () => {
  test('an answer before a withdrawal is replayed with the fact, an answer after it without', async () => {
    const place = await audited();
    expect(await place.say('done for today', { used_chunks: ['wrap-up'] })).toEqual(['wrap-up']);
    const uri = 'instruction:acme/agent/cto/wrap-up/v1';
    const fact = (await place.server.ask('cto', 'GET', `/v1/facts/${encodeURIComponent(uri)}`)).json();
    const order = { deployment: 'acme', fact_uri: uri, digest: String(fact['digest']), reason: 'wrong' };
    const sealed = signWithdrawal({ ...order, withdrawn_at: '2026-01-01T00:00:00Z' }, [ann.signer]);
    writeFileSync(join(place.bundle, WITHDRAWN), addWithdrawal(null, sealed));
    await vi.waitFor(
      async () => {
        expect(await place.say('done for today')).not.toContain('wrap-up');
      },
      { timeout: 30_000 },
    );
    const { proof, total } = reportOf(await replay(place));
    expect([proof.differing, total.identical]).toEqual([0, proof.replayed]);
    expect(proof.replayed).toBeGreaterThan(1);
    // another bundle would answer without it today, whenever it was asked
    place.repo.write('instructions/agents/ct/scans.md', '---\ndescription: Scans\n---\n\n# Scans\n\nRead.\n').commit();
    const next = await place.compiled(place.bundle);
    writeFileSync(join(next, WITHDRAWN), addWithdrawal(null, sealed));
    const { changed, total: now } = reportOf(await replay(place, next));
    expect(now).toMatchObject({ worse: 1, better: 0, same_units: 0 });
    for (const it of changed) expect(it.dropped).toEqual(['wrap-up']);
  });
});
