import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { FRESHNESS, WITHDRAWN } from '../../compiler/io/bundle/sidecar-files.ts';
import { FRESHNESS_TYPE, type Freshness } from '../../compiler/schema/bundle/freshness.ts';
import { canonicalBytes } from '../../compiler/trust/canonical.ts';
import { signEnvelope } from '../../compiler/trust/dsse.ts';
import { signFreshness } from '../../compiler/trust/freshness.ts';
import { withdrawnKey } from '../../compiler/trust/withdrawal.ts';
import { hosting, mirrorOf } from '../server/hosting.ts';
import { running } from '../server/running.ts';
import { laterReasonOf } from '../support/refused.ts';
import {
  ann,
  becomes,
  bob,
  compiled,
  deployment,
  errorsIn,
  first,
  gauge,
  hosted,
  INCIDENT,
  listOf,
  ordered,
  orderOf,
  put,
  ready,
  recalls,
  replica,
  second,
  standing,
  textOf,
  TRUST,
  WRAP_UP,
  type Sealed,
} from './withdrawing.ts';

const NOW = Date.parse('2026-12-01T00:00:00Z');
const HOUR_MS = 3_600_000;
const POLL = { pollMs: 20 };
const at = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`;

let made: Sealed;

beforeAll(async () => {
  made = await compiled(deployment());
});

/** A statement of what is current, and that these facts are withdrawn. */
function statement(uris: readonly string[], over: Partial<Freshness> = {}, of = made): Freshness {
  const withdrawals = uris.map((uri) => withdrawnKey(orderOf(of, uri))).sort();
  const { revision } = of.bundle;
  return { deployment: 'acme', revision, issued: at(NOW), expires: at(NOW + HOUR_MS), withdrawals, ...over };
}

const fresh = (uris: readonly string[], over: Partial<Freshness> = {}, of = made) =>
  signFreshness(statement(uris, over, of), [first.signer]);
const list = (...uris: readonly string[]) => listOf(...uris.map((uri) => ordered(made, uri, [bob])));

const options = (failStale: boolean, now: () => number = () => NOW) => ({ failStale, now });

describe('a new replica', () => {
  test.each([
    ['does not have the list', true, () => null],
    ['does not have the list', false, () => null],
    ['has an empty list', true, () => listOf()],
    ['has a shorter list', false, () => list(INCIDENT)],
    ['has invalid records', true, () => listOf({}, ordered(made, WRAP_UP, [ann], { deployment: 'ajax' }))],
  ])(
    'a replica does not start if its host %s and the freshness statement names more withdrawals, with --fail-stale %s',
    async (_, failStale, withdrawn) => {
      const folder = standing(made, { freshness: fresh([WRAP_UP, INCIDENT]), withdrawn: withdrawn() });
      const host = await hosting(folder);
      expect(await laterReasonOf(replica(host, options(failStale)))).toBe('withdrawals_missing');
      put(folder, { withdrawn: list(WRAP_UP, INCIDENT) });
      const server = await replica(host, options(failStale));
      expect([await recalls(server), await recalls(server, 'incident')]).toEqual([false, false]);
    },
  );

  test.each([true, false])(
    'a replica follows a list of withdrawals that is longer than the freshness statement says, with --fail-stale %s',
    async (failStale) => {
      const folder = standing(made, { freshness: fresh([WRAP_UP]), withdrawn: list(WRAP_UP, INCIDENT) });
      const { server } = await hosted(folder, options(failStale));
      expect([await recalls(server), await recalls(server, 'incident')]).toEqual([false, false]);
      expect(await ready(server)).toMatchObject({ fresh: true, withdrawn: 2 });
    },
  );
});

describe('--fail-stale limits how long a host can hide withdrawals', () => {
  test('a server with --fail-stale names the end of its freshness statement, and answers 503 from then on', async () => {
    let now = NOW;
    const { server } = await hosted(
      standing(made, { freshness: fresh([]) }),
      options(true, () => now),
    );
    const until = at(NOW + HOUR_MS);
    expect(await ready(server)).toMatchObject({ withdrawals: { status: 'bounded', until } });
    const begun = server.log.find((it) => it['msg'] === 'ready');
    expect(begun).toMatchObject({ withdrawals: { status: 'bounded', until } });
    now = NOW + HOUR_MS - 1;
    expect(await recalls(server)).toBe(true);
    now = NOW + HOUR_MS;
    expect((await server.recall('cto', 'cto', { intent: 'done for today' })).status).toBe(503);
    expect(await ready(server)).toMatchObject({ status: 'stale', withdrawals: { status: 'unknown', until: null } });
  });

  test('an older freshness statement with a later expiry does not replace the newer one of a remote bundle', async () => {
    let now = NOW;
    const year = fresh([], { issued: at(NOW - HOUR_MS), expires: at(NOW + 9000 * HOUR_MS) });
    const folder = standing(made, { freshness: fresh([WRAP_UP]), withdrawn: list(WRAP_UP) });
    const { server, host } = await hosted(
      folder,
      options(true, () => now),
    );
    rmSync(join(folder, WITHDRAWN));
    writeFileSync(join(folder, FRESHNESS), year);
    host.fetched();
    await becomes(
      () => host.fetched().filter((it) => it.path === FRESHNESS && it.status === 200).length,
    ).toBeGreaterThan(0);
    expect(await recalls(server)).toBe(false);
    now = NOW + HOUR_MS;
    expect((await server.recall('cto', 'cto', { intent: 'done for today' })).status).toBe(503);
  });

  test('an older freshness statement with a later expiry does not replace the newer one in a folder', async () => {
    let now = NOW;
    const folder = standing(made, { freshness: fresh([]) });

    const server = await running({ bundle: folder, trust: first, failStale: true, now: () => now, follow: POLL });
    put(folder, { freshness: fresh([], { issued: at(NOW - HOUR_MS), expires: at(NOW + 9000 * HOUR_MS) }) });
    await becomes(() => errorsIn(server)).toHaveLength(1);
    now = NOW + HOUR_MS;
    expect((await server.recall('cto', 'cto', { intent: 'done for today' })).status).toBe(503);
  });
});

describe('a running replica', () => {
  test('a running replica refuses a freshness statement whose list is incomplete, and follows the list that there is', async () => {
    let now = NOW;
    const folder = standing(made, { freshness: fresh([]) });
    const { server } = await hosted(
      folder,
      options(true, () => now),
    );
    put(folder, {
      freshness: fresh([WRAP_UP, INCIDENT], { expires: at(NOW + 2 * HOUR_MS) }),
      withdrawn: list(INCIDENT),
    });
    // the older statement goes on to its own end
    const until = at(NOW + HOUR_MS);
    await becomes(() => ready(server)).toMatchObject({
      ...{ refused: { reason: 'withdrawals_missing' }, withdrawn: 1 },
      withdrawals: { until },
    });
    now = NOW + HOUR_MS;
    expect((await server.recall('cto', 'cto', { intent: 'done for today' })).status).toBe(503);
    put(folder, { withdrawn: list(WRAP_UP, INCIDENT) });
    await becomes(() => ready(server)).toMatchObject({ status: 'ready', refused: null, fresh: true });
    expect([await recalls(server), await recalls(server, 'incident')]).toEqual([false, false]);
  });

  test('a withdrawn fact stays withdrawn without its list, and /readyz counts the hidden withdrawals of a folder', async () => {
    const folder = standing(made, { freshness: fresh([WRAP_UP]), withdrawn: list(WRAP_UP) });

    const server = await running({ bundle: folder, trust: first, follow: POLL, ...options(false) });
    rmSync(join(folder, WITHDRAWN));
    put(folder, { freshness: fresh([WRAP_UP, INCIDENT], { issued: at(NOW + 1000) }) });
    await becomes(() => ready(server)).toMatchObject({ withdrawals: { status: 'missing', missing: 1 } });
    expect(await gauge(server, 'vade_withdrawals_missing')).toBe(1);
    expect([await recalls(server), await textOf(server, WRAP_UP)]).toEqual([false, '']);
    // each of both files says so once
    expect(errorsIn(server).length).toBeLessThanOrEqual(2);
  });
});

describe('unknown state of withdrawals', () => {
  test.each([
    ['--fail-stale', false, () => fresh([])],
    ['a freshness statement', false, () => null],
  ])('a server without %s says that the state of withdrawals is unknown', async (_, failStale, freshness) => {
    const { server } = await hosted(standing(made, { freshness: freshness() }), options(failStale));
    expect(await ready(server)).toMatchObject({ status: 'ready', withdrawals: { status: 'unknown', until: null } });
    expect(server.log.find((it) => it['msg'] === 'ready')).toMatchObject({ withdrawals: { status: 'unknown' } });
  });

  test('a freshness statement without a list of withdrawals is refused, and the log says so once', async () => {
    const { withdrawals, ...old } = statement([]);
    expect(withdrawals).toEqual([]);
    const folder = standing(made, { freshness: signEnvelope(FRESHNESS_TYPE, canonicalBytes(old), [first.signer]) });
    const { server, host } = await hosted(folder, options(false));
    expect(await ready(server)).toMatchObject({ fresh: false, withdrawals: { status: 'unknown' } });
    expect(errorsIn(server)).toHaveLength(1);
    expect(await laterReasonOf(replica(host, options(true)))).toBe('not_fresh');
  });

  test('a freshness statement signed by an administrator’s key binds nothing', async () => {
    const forged = signFreshness(statement([WRAP_UP]), [ann.signer]);
    const { server } = await hosted(standing(made, { freshness: forged }), options(false));
    expect([await recalls(server), (await ready(server))['fresh']]).toEqual([true, false]);
  });
});

describe('orders of a former administrator in a freshness statement', () => {
  test('a freshness statement keeps an order of a former administrator in force, but not a forged one', async () => {
    const repo = deployment();
    repo.write(`${TRUST}/2.json`, second.envelope).commit('the next root');
    const later = await compiled(repo);
    const record = ordered(later, WRAP_UP, [ann]);
    const { server } = await hosted(
      standing(later, { freshness: fresh([WRAP_UP], {}, later), withdrawn: listOf(record) }),
      options(true),
    );
    expect([await recalls(server), (await ready(server))['withdrawn']]).toEqual([false, 1]);
    const never = ordered(later, WRAP_UP, [{ entity: ann.entity, signer: first.signer }]);
    const bad = standing(later, { freshness: fresh([WRAP_UP], {}, later), withdrawn: listOf(never) });
    expect(await laterReasonOf(hosted(bad, options(true)))).toBe('withdrawals_missing');
  });
});

test('a mirror without the list of withdrawals does not store the freshness statement that names it', async () => {
  const folder = standing(made, { freshness: fresh([WRAP_UP]) });
  const mirror = mirrorOf(await hosting(folder), first);
  await expect(mirror.sync()).rejects.toMatchObject({ details: { reason: 'withdrawals_missing' } });
  expect(existsSync(join(mirror.folder, FRESHNESS))).toBe(false);
});
