import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { FRESHNESS, WITHDRAWN } from '../../compiler/io/bundle/sidecar-files.ts';
import type { FactVersion } from '../../compiler/schema/bundle/fact.ts';
import type { Withdrawal } from '../../compiler/schema/bundle/withdrawal.ts';
import type { TrustRoot } from '../../compiler/schema/source/trust-root.ts';
import { canonicalBytes } from '../../compiler/trust/canonical.ts';
import { signWithdrawal } from '../../compiler/trust/withdrawal.ts';
import { peers } from '../server/deployment.ts';
import { hosting, mirrorOf, type Host } from '../server/hosting.ts';
import { running, type Running, type RunOptions } from '../server/running.ts';
import { compileToFolder } from '../support/compiled.ts';
import { tempFolder } from '../support/folder.ts';
import type { Repository } from '../support/repository.ts';
import { newSigner, nextRoot, person, staff, type Person } from '../support/staff.ts';

export const [ann, bob]: [Person, Person] = [person('ann'), person('bob')];
/** Root 1: Ann and Bob are administrators. */
export const first = staff([ann, bob]);
const { root } = first.root;
const { [ann.signer.keyid]: annsKey, ...keysWithoutAnn } = root.keys;
/** Root 2: Ann is no administrator any more, and her key is gone. */
export const second = nextRoot(first.root, { admins: [bob.entity], keys: keysWithoutAnn }, [first.signer]);

/** The root after the first one, changed as asked. */
const changed = (over: Partial<TrustRoot>) => nextRoot(first.root, over, [first.signer]);

/** Root 2 where Ann stays and has another key. */
const annAgain: Person = { ...ann, signer: newSigner() };
export const rotated = changed({
  keys: { ...keysWithoutAnn, [annAgain.signer.keyid]: { public: annAgain.signer.publicPem, owner: ann.entity } },
});
/** Root 2 where the time of Ann's key is over. */
export const expired = changed({
  keys: { ...keysWithoutAnn, [ann.signer.keyid]: { ...annsKey!, expires: '2026-01-01T00:00:00Z' } },
});
/** Root 2 where it takes two to withdraw. */
export const pair = changed({ thresholds: { approval: 1, withdrawal: 2, rollback: 1 } });

export const WRAP_UP = 'instruction:acme/agent/cto/wrap-up/v1';
export const INCIDENT = 'instruction:acme/agent/cto/incident/v1';
export const TRUST = 'instructions/trust';

/** A deployment whose first trust root is among its sources. */
export function deployment(): Repository {
  const repo = peers();
  repo.write(`${TRUST}/1.json`, first.root.envelope).commit('trust');
  return repo;
}

export type Sealed = Awaited<ReturnType<typeof compileToFolder>>;

/** Compiles with the first root pinned. */
export const compiled = (repo: Repository) => compileToFolder(repo.path, { trust: first });

/** A fact as it was compiled. */
function factOf({ bundle }: Sealed, uri: string): FactVersion {
  const named = bundle.built.flatMap((it) => {
    const facts = JSON.parse(it.files.get('facts.json')?.toString() ?? '{"facts":[]}') as { facts: FactVersion[] };
    const past = JSON.parse(it.files.get('history.json')?.toString() ?? '{"facts":[]}') as { facts: FactVersion[] };
    return [...facts.facts, ...past.facts];
  });
  return named.find((it) => it.uri === uri)!;
}

export function orderOf(made: Sealed, uri: string, over: Partial<Withdrawal> = {}): Withdrawal {
  const { digest } = factOf(made, uri);
  const at = '2026-01-01T00:00:00Z';
  return { deployment: 'acme', fact_uri: uri, digest, reason: 'wrong', withdrawn_at: at, ...over };
}

/** An order of these people. */
export function ordered(made: Sealed, uri: string, by: readonly Person[], over: Partial<Withdrawal> = {}): Buffer {
  return signWithdrawal(
    orderOf(made, uri, over),
    by.map((it) => it.signer),
  );
}

/** A list with exactly these records, whatever they are, in this order. */
export function listOf(...records: readonly (Buffer | object)[]): Buffer {
  const envelopes = records.map((it) => (Buffer.isBuffer(it) ? (JSON.parse(it.toString('utf8')) as object) : it));
  return canonicalBytes({ format: 1, envelopes });
}

/** A copy of a bundle with these files beside it. */
export function standing(
  { out }: Pick<Sealed, 'out'>,
  beside: { withdrawn?: Buffer | null; freshness?: Buffer | null } = {},
): string {
  const folder = tempFolder();
  cpSync(out, folder, { recursive: true });
  put(folder, beside);
  return folder;
}

export function put(
  folder: string,
  { withdrawn, freshness }: { withdrawn?: Buffer | null; freshness?: Buffer | null },
) {
  if (withdrawn) writeFileSync(join(folder, WITHDRAWN), withdrawn);
  if (freshness) writeFileSync(join(folder, FRESHNESS), freshness);
}

/** A server that mirrors what a host serves over HTTP. */
export function replica(host: Pick<Host, 'url'>, options: Partial<RunOptions> = {}, folder = tempFolder()) {
  const mirror = mirrorOf(host, first, { folder });
  const follow = { mirror, mirrorPollMs: 20, pollMs: 20 };
  return running({ bundle: mirror.folder, trust: first, follow, ...options });
}

/** A host that serves a folder, and a server that mirrors it. */
export async function hosted(folder: string, options: Partial<RunOptions> = {}) {
  const host = await hosting(folder);
  return { host, server: await replica(host, options) };
}

export const ready = async (server: Running) => (await server.ask(null, 'GET', '/readyz')).json();

/** The text that is served for a fact; empty where it was taken out. */
export async function textOf(server: Running, uri: string): Promise<unknown> {
  return (await server.ask('cto', 'GET', `/v1/facts/${encodeURIComponent(uri)}`)).json()['content'];
}

/** Whether a recall of what `wrap-up` is for brings it. */
export async function recalls(server: Running, name = 'wrap-up'): Promise<boolean> {
  const answer = await server.recall('cto', 'cto', { intent: `\`${name}\``, max_chunks: 5, token_budget: 10_000 });
  return (answer.json()['chunks'] as { name: string }[]).some((it) => it.name === name);
}

/** A value that is read again and again, until it is as it has to be. */
export const becomes = <T>(read: () => T) => expect.poll(read, { timeout: 30_000, interval: 20 });

/** Value of a gauge. */
export async function gauge(server: Running, name: string): Promise<number> {
  const { text } = await server.ask('scraper', 'GET', '/metrics');
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
}

export const errorsIn = (server: Running) => server.log.filter((it) => it['level'] === 50);
