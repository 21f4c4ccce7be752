import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openBundle } from '../../../compiler/io/bundle/open-bundle.ts';
import { ROLLBACK, WITHDRAWN } from '../../../compiler/io/bundle/sidecar-files.ts';
import { signRollback } from '../../../compiler/trust/rollback.ts';
import { addWithdrawal, signWithdrawal } from '../../../compiler/trust/withdrawal.ts';
import {
  publishFacts,
  readPublished,
  writePublished,
  type PublishedFacts,
} from '../../../server/rollout/published-facts.ts';
import { compileToFolder } from '../../support/compiled.ts';
import { tempFolder } from '../../support/folder.ts';
import { unitFile } from '../../support/repository.ts';
import { person, staff } from '../../support/staff.ts';
import { peers } from '../deployment.ts';
import { running, type Running } from '../running.ts';
import { announce, revisionOf } from '../successive.ts';

const ann = person('ann');
const trust = staff([ann]);
const URI = 'instruction:acme/agent/cto/wrap-up/v2';

/** A bundle with `wrap-up` v2, and a later one of a rewritten history that gave v2 another text. */
let made: { readonly published: string; readonly rewritten: string; readonly digest: string };
let audit: string;

beforeAll(async () => {
  const repo = peers();
  const write = (text: string) => {
    repo.write('instructions/agents/cto/wrap-up.md', unitFile('How to leave', ['hand over'], '', text)).commit(text);
  };
  write('Published.');
  const { out: published } = await compileToFolder(repo.path, { trust });
  repo.git('reset', '--quiet', '--hard', 'HEAD~1');
  for (const text of ['Rewritten.', 'Rewritten again.']) write(text);
  const { out: rewritten } = await compileToFolder(repo.path, { trust });
  const belief = { pinned: trust.root, now: new Date().toISOString() };
  const subjects = openBundle(published, belief).envelope('cto')?.statement.subject;
  made = { published, rewritten, digest: subjects?.find(({ name }) => name === URI)?.digest.sha256 ?? '' };
});
beforeEach(() => {
  audit = join(tempFolder(), 'audit.db');
});

/** A folder that keeps both roots; the published one is current. */
function both(): string {
  const folder = tempFolder();
  for (const it of [made.rewritten, made.published]) cpSync(it, folder, { recursive: true });
  return folder;
}

const started = (bundle: string): Promise<Running> => running({ bundle, trust, audit, follow: { pollMs: 20 } });
const ready = async (server: Running) => (await server.ask(null, 'GET', '/readyz')).json();
const serves = (server: Running, bundle: string, refused: unknown = null) =>
  expect.poll(() => ready(server), { timeout: 30_000 }).toMatchObject({ bundle_revision: revisionOf(bundle), refused });
const REFUSED = { reason: 'fact_mutated' };
const levels = (server: Running) => server.log.map((it) => it['level']);

/** Serves the published bundle once, so that its facts are recorded. */
async function published(bundle = both()): Promise<string> {
  await (await started(bundle)).close();
  return bundle;
}

function withdraw(bundle: string, fact_uri = URI): void {
  const order = {
    deployment: 'acme',
    fact_uri,
    digest: made.digest,
    reason: 'wanted',
    withdrawn_at: '2026-01-01T00:00:00Z',
  };
  writeFileSync(join(bundle, WITHDRAWN), addWithdrawal(null, signWithdrawal(order, [ann.signer])));
}

describe('§21.4.2 a published fact stays what it was', () => {
  test('a restarted server refuses a rewritten fact, and serves the last good root', async () => {
    const bundle = await published();
    announce(bundle, revisionOf(made.rewritten));
    await serves(await started(bundle), made.published, REFUSED);
  });

  test('a restarted server does not start with a folder that has only the rewritten root', async () => {
    await published();
    await expect(started(made.rewritten)).rejects.toMatchObject({
      code: 'fact_mutated',
      details: { fact_uri: URI, garden: 'cto' },
    });
  });

  test('a running server refuses a rewritten fact, and its log names the way out: once an administrator has withdrawn the published text, it loads it, and a restarted one too', async () => {
    const server = await started(both());
    announce(server.bundle, revisionOf(made.rewritten));
    await serves(server, made.published, REFUSED);
    const line = server.log.find((it) => it['reason'] === 'fact_mutated');
    expect(line).toMatchObject({ fact_uri: URI, offered: revisionOf(made.rewritten) });
    expect(line?.['help']).toContain(`--agent cto --unit wrap-up --fact-version 2 --digest ${made.digest}`);
    withdraw(server.bundle);
    await serves(server, made.rewritten);
    await server.close();
    await serves(await started(server.bundle), made.rewritten);
  });

  test('the withdrawal of another fact with the same text does not let it in', async () => {
    const bundle = await published();
    announce(bundle, revisionOf(made.rewritten));
    withdraw(bundle, 'instruction:acme/agent/ct/wrap-up/v2');
    await serves(await started(bundle), made.published, REFUSED);
  });

  test('after a wanted rewrite administrators may roll back to the root before it', async () => {
    const bundle = await published();
    announce(bundle, revisionOf(made.rewritten));
    withdraw(bundle);
    await (await started(bundle)).close();
    rmSync(join(bundle, WITHDRAWN));
    announce(bundle, revisionOf(made.published));
    const revision = revisionOf(made.published);
    const expires = new Date(Date.now() + 86_400_000).toISOString();
    const permission = { deployment: 'acme', revision, reason: 'the new one is bad', expires };
    writeFileSync(join(bundle, ROLLBACK), signRollback(permission, [ann.signer]));
    await serves(await started(bundle), made.published);
  });
});

describe('the record of published facts', () => {
  const damage: readonly [what: string, of: (whole: Buffer) => Buffer][] = [
    ['is damaged', (whole) => Buffer.concat([whole, Buffer.from('x')])],
    ['is cut off', (whole) => whole.subarray(0, 500)],
    ['is empty', () => Buffer.of()],
  ];
  /** Damages the record, or removes it. */
  const lose = (of: ((whole: Buffer) => Buffer) | null) => {
    const path = `${audit}.facts`;
    if (of === null) rmSync(path);
    else writeFileSync(path, of(readFileSync(path)));
  };

  test.each([...damage, ['is missing', null] as const])(
    'that %s is written again from the root that was served last',
    async (_, of) => {
      const bundle = await published();
      lose(of);
      announce(bundle, revisionOf(made.rewritten));
      await serves(await started(bundle), made.published, REFUSED);
      expect(readPublished(`${audit}.facts`)?.has('acme/cto')).toBe(true);
    },
  );

  test.each(damage)(
    'that %s, without that root, is reported as an error and does not stop the server',
    async (_, of) => {
      await published();
      lose(of);
      const server = await started(made.rewritten);
      await serves(server, made.rewritten);
      expect(levels(server)).toContain(50);
      expect(readPublished(`${audit}.facts`)?.has('acme/cto')).toBe(true);
    },
  );

  test('a first start reports nothing', async () => {
    const server = await started(made.published);
    expect(levels(server).filter((it) => Number(it) > 40)).toEqual([]);
    expect(existsSync(`${audit}.facts`)).toBe(true);
  });
});

describe('published facts', () => {
  const hex = (digit: string) => digit.repeat(64);
  const statement = (digest: string, facts: Readonly<Record<string, string>>) => ({
    deployment: 'acme',
    garden: 'cto',
    digest: hex(digest),
    subjects: Object.entries(facts).map(([name, text]) => ({ name, digest: { sha256: hex(text) } })),
  });
  const [V1, V2] = ['instruction:acme/agent/cto/limits/v1', 'instruction:acme/agent/cto/limits/v2'] as const;
  const none: ReadonlySet<string> = new Set();

  test('a fact that was missing for a while returns with its text alone', () => {
    const published: PublishedFacts = new Map();
    publishFacts(published, statement('a', { [V1]: '1', [V2]: '2' }), none);
    publishFacts(published, statement('b', { [V1]: '1' }), none);
    expect(() => {
      publishFacts(published, statement('c', { [V1]: '1', [V2]: '3' }), none);
    }).toThrow(V2);
    publishFacts(published, statement('d', { [V1]: '1', [V2]: '2' }), none);
    expect(published.get('acme/cto')?.digest).toBe(hex('d'));
  });

  test('a refused garden adds nothing', () => {
    const published: PublishedFacts = new Map();
    publishFacts(published, statement('a', { [V1]: '1' }), none);
    const before = new Map(published);
    expect(() => {
      publishFacts(published, statement('b', { [V1]: '2', [V2]: '2' }), none);
    }).toThrow(V1);
    expect(published).toEqual(before);
  });

  test('a record says what was written, and keeps what another process added', () => {
    const path = join(tempFolder(), 'facts');
    const own: PublishedFacts = new Map();
    const other: PublishedFacts = new Map();
    publishFacts(own, statement('a', { [V1]: '1' }), none);
    publishFacts(other, statement('b', { [V2]: '2' }), none);
    publishFacts(other, { ...statement('b', { [V2]: '2' }), garden: 'ct' }, none);
    writePublished(path, other);
    writePublished(path, own);
    const read = readPublished(path) ?? new Map();
    expect([...read.keys()]).toEqual(['acme/ct', 'acme/cto']);
    expect(() => {
      publishFacts(read, statement('c', { [V1]: '1', [V2]: '3' }), none);
    }).toThrow(V2);
    expect(() => {
      publishFacts(read, statement('c', { [V1]: '3', [V2]: '2' }), none);
    }).toThrow(V1);
  });
});
