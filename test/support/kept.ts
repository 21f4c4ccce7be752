import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { TrustRoot } from '../../compiler/schema/source/trust-root.ts';
import { signRollback } from '../../compiler/trust/rollback.ts';
import { running } from '../server/running.ts';
import type { Ran } from './cli.ts';
import { unitFile, type Repository } from './repository.ts';
import { staffed, type Holder, type Staffed } from './staffed.ts';

/** A deployment whose bundle keeps two roots, the newer one current. */
export interface Kept extends Staffed {
  readonly older: string;
  readonly newer: string;
}

export const REASON = 'it tells to delete everything';
export const LONG_AGO = '2020-01-01T00:00:00Z';

/** Compiles two commits into one bundle; `change` adds to the second. */
export async function kept(
  over?: Partial<TrustRoot>,
  change?: (repo: Repository, place: Staffed) => unknown,
): Promise<Kept> {
  const place = staffed(undefined, over);
  const older = await place.compile();
  rewrite(place.repo, 'Delete everything.');
  change?.(place.repo, place);
  place.repo.commit();
  const newer = await place.compile();
  expect([older.code, newer.code], newer.stderr).toEqual([0, 0]);
  const revision = (ran: Ran) => String(ran.envelope().data['revision']);
  return { ...place, older: revision(older), newer: revision(newer) };
}

export function rewrite(repo: Repository, text: string): Repository {
  return repo.write('instructions/agents/cto/wrap-up.md', unitFile('How to leave', ['done for today'], '', text));
}

/** `vade rollback` to the older root, with somebody's key. */
export function rollback(place: Kept, by: Holder, ...args: string[]): Promise<Ran> {
  const given = ['--revision', place.older, '--reason', REASON, ...place.trust, '--key', by.file];
  return place.run(['rollback', ...given, ...args]);
}

/** The path of something in the bundle. */
export function at(place: Staffed, name: string): string {
  return join(place.repo.path, 'bundle', name);
}

export function current(place: Staffed): string {
  return readFileSync(at(place, 'current'), 'utf8').trim();
}

export function setCurrent(place: Staffed, revision: string): void {
  writeFileSync(at(place, 'current'), `${revision}\n`);
}

export function permission(place: Staffed): string {
  return at(place, 'rollback.dsse.json');
}

/** Whether the newer root is current, and nothing allows another. */
export function untouched(place: Kept): boolean {
  return current(place) === place.newer && !existsSync(permission(place));
}

/** The newer root current again, and no server that remembers anything. */
export function reset(place: Kept): void {
  setCurrent(place, place.newer);
  const beside = ['rollback', 'freshness'].map((it) => at(place, `${it}.dsse.json`));
  for (const path of [...beside, join(place.repo.path, 'audit.db.seen.json')]) rmSync(path, { force: true });
}

/** Puts a permission to return to the older root into a file. */
export function sign(place: Kept, file: string, by: Holder, over: object = {}): void {
  const expires = `${new Date(Date.now() + 3_600_000).toISOString().slice(0, 19)}Z`;
  const said = { deployment: 'acme', revision: place.older, reason: REASON, expires, ...over };
  writeFileSync(file, signRollback(said, [by.signer]));
}

interface Step {
  readonly step: string;
  readonly status: string;
  readonly reason: string | null;
}

/** How `vade verify` ends, and what it says of the permission. */
export async function verified(place: Staffed) {
  const ran = await place.run(['verify', ...place.trust]);
  const { ok, data, error } = ran.envelope();
  const steps = (ok ? data['steps'] : error.context['steps']) as Step[];
  const step = steps.find((it) => it.step === 'rollback');
  return [ran.code, step?.status, step?.reason] as const;
}

/** The revision that a server starts with, from the same audit each time. */
export async function served(place: Staffed): Promise<string> {
  const options = { bundle: join(place.repo.path, 'bundle'), audit: join(place.repo.path, 'audit.db') };
  const { revision, close } = await running({ ...options, trust: { root: place.root } });
  await close();
  return revision;
}
