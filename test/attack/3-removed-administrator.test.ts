import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { WITHDRAWN } from '../../compiler/io/bundle/sidecar-files.ts';
import type { SignedRoot } from '../../compiler/trust/root-chain.ts';
import { addWithdrawal } from '../../compiler/trust/withdrawal.ts';
import { failure, hosting, mirrorOf } from '../server/hosting.ts';
import { compileRepository, compileToFolder } from '../support/compiled.ts';
import { nextRoot, person, sealRoot } from '../support/staff.ts';
import {
  ann,
  becomes,
  bob,
  compiled,
  deployment,
  errorsIn,
  expired,
  first,
  gauge,
  hosted,
  INCIDENT,
  listOf,
  ordered,
  pair,
  ready,
  recalls,
  replica,
  rotated,
  second,
  standing,
  textOf,
  TRUST,
  WRAP_UP,
  type Sealed,
} from './withdrawing.ts';

/** A bundle compiled after a second root came into force. */
async function after(next: SignedRoot): Promise<Sealed> {
  const repo = deployment();
  repo.write(`${TRUST}/2.json`, next.envelope).commit('the next root');
  return compiled(repo);
}

let made: Sealed;

beforeAll(async () => {
  made = await after(second);
});

describe('orders of an administrator whom the trust root in force no longer names', () => {
  test('a former administrator’s order withdraws nothing, even if it has an old date', async () => {
    const order = ordered(made, WRAP_UP, [ann], { withdrawn_at: '2020-01-01T00:00:00Z' });
    const { server } = await hosted(standing(made, { withdrawn: listOf(order) }));
    expect([await recalls(server), await textOf(server, WRAP_UP)]).toEqual([true, expect.stringContaining('Do it')]);
    expect(await ready(server)).toMatchObject({ status: 'ready', withdrawn: 0, withdrawals: { skipped: 1 } });
    expect(await gauge(server, 'vade_withdrawals_skipped')).toBe(1);
    expect(errorsIn(server)).toMatchObject([{ skipped: 1, reasons: ['key_unknown'] }]);
  });

  test('a running server skips a former administrator’s order, and follows a present one’s', async () => {
    const folder = standing(made);
    const { server } = await hosted(folder);
    writeFileSync(join(folder, WITHDRAWN), listOf(ordered(made, WRAP_UP, [ann]), ordered(made, INCIDENT, [bob])));
    await becomes(() => ready(server)).toMatchObject({ withdrawn: 1, withdrawals: { skipped: 1 } });
    expect([await recalls(server), await recalls(server, 'incident')]).toEqual([true, false]);
  });

  test('a former administrator does not count toward a threshold of two', async () => {
    const thresholds = { approval: 1, withdrawal: 2, rollback: 1 };
    const strict = await after(sealRoot({ ...second.root, thresholds }, [first.signer]));
    const { server } = await hosted(standing(strict, { withdrawn: listOf(ordered(strict, WRAP_UP, [ann, bob])) }));
    expect(await recalls(server)).toBe(true);
    expect(errorsIn(server)).toMatchObject([{ skipped: 1, reasons: ['signatures_missing'] }]);
  });

  test.each([
    ['a replaced key', rotated, 'key_unknown'],
    ['an expired key', expired, 'key_expired'],
    ['one signature of two', pair, 'signatures_missing'],
  ])('an order with %s withdraws nothing', async (_, next, reason) => {
    const bundle = await after(next);
    const { server } = await hosted(standing(bundle, { withdrawn: listOf(ordered(bundle, WRAP_UP, [ann])) }));
    expect(await recalls(server)).toBe(true);
    expect(errorsIn(server)).toMatchObject([{ skipped: 1, reasons: [reason] }]);
  });
});

describe('a server with an older root', () => {
  test('a server follows the order of a new administrator once a root names them', async () => {
    const eve = person('eve');
    const keys = { ...first.root.root.keys, [eve.signer.keyid]: { public: eve.signer.publicPem, owner: eve.entity } };
    const admins = [...first.root.root.admins, eve.entity].sort();
    const repo = deployment();
    const old = await compiled(repo);
    repo.write(`${TRUST}/2.json`, nextRoot(first.root, { admins, keys }, [first.signer]).envelope).commit('Eve joins');
    const folder = standing(old, { withdrawn: listOf(ordered(old, WRAP_UP, [eve])) });
    const { server } = await hosted(folder);
    expect([await recalls(server), (await ready(server))['withdrawn']]).toEqual([true, 0]);
    await compileToFolder(repo.path, { trust: first, out: folder });
    await becomes(() => ready(server)).toMatchObject({ withdrawn: 1, withdrawals: { skipped: 0 } });
    expect(await recalls(server)).toBe(false);
  });
});

describe('invalid records in the list of withdrawals', () => {
  test('invalid records do not affect the valid ones before and after them', async () => {
    const bad = [
      {},
      null,
      'x',
      { payload: '!', payloadType: 'x', signatures: [] },
      JSON.parse(first.root.envelope.toString()) as object,
      ordered(made, INCIDENT, [person('eve')]),
      ordered(made, INCIDENT, [bob], { deployment: 'ajax' }),
    ] as object[];
    const list = listOf(...bad, ordered(made, WRAP_UP, [bob]), ...bad);
    const { server } = await hosted(standing(made, { withdrawn: list }));
    expect([await recalls(server), await recalls(server, 'incident')]).toEqual([false, true]);
    expect(await ready(server)).toMatchObject({ withdrawn: 1, withdrawals: { skipped: 2 * bad.length } });
  });

  test('an invalid record is not reported if a valid order withdraws the same fact', async () => {
    const list = listOf(ordered(made, WRAP_UP, [ann]), ordered(made, WRAP_UP, [bob]), ordered(made, WRAP_UP, [bob]));
    const { server } = await hosted(standing(made, { withdrawn: list }));
    expect(await recalls(server)).toBe(false);
    expect(await ready(server)).toMatchObject({ withdrawn: 1, withdrawals: { skipped: 0 } });
    expect(errorsIn(server)).toEqual([]);
  });

  test('a mirror drops invalid records at each sync, and keeps the valid order', async () => {
    const folder = standing(made, { withdrawn: listOf(ordered(made, WRAP_UP, [bob])) });
    const host = await hosting(folder);
    const mirror = mirrorOf(host, first);
    await mirror.sync();
    for (let round = 0; round < 2; round++) {
      const junk = Array.from({ length: 9_999 }, (_, n) => ({ round, n }));
      writeFileSync(join(folder, WITHDRAWN), listOf(...junk));
      await mirror.sync();
    }
    const { envelopes } = JSON.parse(readFileSync(join(mirror.folder, WITHDRAWN), 'utf8')) as { envelopes: unknown[] };
    expect(envelopes).toHaveLength(10_000);
    const server = await replica(host, {}, mirror.folder);
    expect(await recalls(server)).toBe(false);
  });

  test('a list of withdrawals that cannot be read is refused, and earlier orders stay in force', async () => {
    const folder = standing(made, { withdrawn: listOf(ordered(made, WRAP_UP, [bob])) });
    const host = await hosting(folder);
    const mirror = mirrorOf(host, first);
    mirror.accept(await mirror.sync());
    for (const list of ['{"format":1,', listOf(...Array.from({ length: 10_001 }, () => ({})))]) {
      writeFileSync(join(folder, WITHDRAWN), list);
      expect(await failure(mirror.sync())).toBe('format_unknown');
    }
    expect(await recalls(await replica(host, {}, mirror.folder))).toBe(false);
  });
});

describe('an order that was committed while its signer was an administrator', () => {
  const FILE = 'instructions/approvals/withdraw-cto-wrap-up-v1.json';
  const errors = async (repo: ReturnType<typeof deployment>) => {
    const { faults } = await compileRepository(repo.path, { trust: first });
    return faults.filter((it) => it.severity === 'error').map((it) => it.rule);
  };

  test.each([
    ['leaves', second],
    ['gets another key', rotated],
    ['has an expired key', expired],
    ['needs a second signer', pair],
  ])('a committed order stays in force if its signer later %s', async (_, next) => {
    const repo = deployment();
    repo.write(FILE, ordered(made, WRAP_UP, [ann])).commit('withdraw');
    repo.write(`${TRUST}/2.json`, next.envelope).commit('the next root');
    const { server } = await hosted(standing(await compiled(repo)));
    expect([await recalls(server), await textOf(server, WRAP_UP)]).toEqual([false, '']);
    expect(await ready(server)).toMatchObject({ withdrawn: 1, withdrawals: { skipped: 0 } });
  });

  test('a committed order stays in force after its file was removed', async () => {
    const repo = deployment();
    const record = ordered(made, WRAP_UP, [ann]);
    repo.write(FILE, record).commit('withdraw');
    repo.write(`${TRUST}/2.json`, second.envelope).remove(FILE).commit('tidy up');
    const { server } = await hosted(standing(await compiled(repo), { withdrawn: addWithdrawal(null, record) }));
    expect([await recalls(server), await textOf(server, WRAP_UP)]).toEqual([false, '']);
    expect(await ready(server)).toMatchObject({ withdrawn: 1, withdrawals: { skipped: 0 } });
    expect(errorsIn(server)).toEqual([]);
  });

  test.each<[string, (repo: ReturnType<typeof deployment>, record: Buffer) => void]>([
    [
      'after the root that removes its signer',
      (repo, record) => {
        repo.write(`${TRUST}/2.json`, second.envelope).commit('the next root');
        repo.write(FILE, record).commit('withdraw', 1_760_000_000);
      },
    ],
    [
      'with the root that removes its signer',
      (repo, record) => {
        repo.write(`${TRUST}/2.json`, second.envelope).write(FILE, record).commit('both');
      },
    ],
    [
      'on a branch that was merged after that root',
      (repo, record) => {
        repo.git('checkout', '-q', '-b', 'old');
        repo.write(FILE, record).commit('withdraw');
        repo.git('checkout', '-q', 'main');
        repo.write(`${TRUST}/2.json`, second.envelope).commit('the next root');
        repo.git('-c', 'user.name=M', '-c', 'user.email=m@x.org', 'merge', '-q', '--no-ff', '-m', 'merge', 'old');
      },
    ],
  ])('an order is withdrawal_invalid if it is committed %s', async (_, commit) => {
    const repo = deployment();
    commit(repo, ordered(made, WRAP_UP, [ann]));
    expect(await errors(repo)).toEqual(['withdrawal_invalid']);
  });

  test('an early commit date does not make an expired key valid', async () => {
    const repo = deployment();
    repo.write(`${TRUST}/2.json`, expired.envelope).commit('the next root', Date.parse('2026-02-01T00:00:00Z') / 1000);
    repo.write(FILE, ordered(made, WRAP_UP, [ann])).commit('withdraw', 1_760_000_000);
    expect(await errors(repo)).toEqual(['withdrawal_invalid']);
  });

  test('an order of a new administrator is valid in the commits after the root that names them', async () => {
    const repo = deployment();
    const eve = person('eve');
    const keys = { ...first.root.root.keys, [eve.signer.keyid]: { public: eve.signer.publicPem, owner: eve.entity } };
    const joined = nextRoot(first.root, { admins: [ann.entity, bob.entity, eve.entity], keys }, [first.signer]);
    repo.write(FILE, ordered(made, WRAP_UP, [eve])).commit('too early');
    expect(await errors(repo)).toEqual(['withdrawal_invalid']);
    repo.write(`${TRUST}/2.json`, joined.envelope).commit('the next root');
    expect(await errors(repo)).toEqual(['withdrawal_invalid']);
    repo.write('instructions/README.md', 'x').commit('later');
    expect(await errors(repo)).toEqual([]);
  });
});
