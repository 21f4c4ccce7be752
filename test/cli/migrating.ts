import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { TrustRoot } from '../../compiler/schema/source/trust-root.ts';
import { running } from '../server/running.ts';
import type { Ran } from '../support/cli.ts';
import { DAY, inMode, LEGACY, type Mode } from '../support/evidence.ts';
import { staffed, type Holder, type Staffed } from '../support/staffed.ts';

/** The intents of one heartbeat, and its closing report; null without one. */
export interface Beat {
  readonly day: number;
  readonly report: { readonly used?: readonly string[]; readonly missed?: readonly string[] } | null;
  /** `X-Heartbeat-Id`; default: a unique name; null: none. */
  readonly id?: string | null;
}

/** An agent in migration whose heartbeats a real server answers; days are counted from its first commit. */
export interface Migrating extends Staffed {
  /** Serves these heartbeats, from the bundle as it is compiled, into one audit. */
  readonly serveHeartbeats: (beats: readonly Beat[], from?: number) => Promise<void>;
  /** `vade shadow` of the agent over a window of days. */
  readonly shadow: (since: number, until: number, ...more: string[]) => Promise<Ran>;
  readonly attest: (by: Holder, since: number, until: number, ...more: string[]) => Promise<Ran>;
  /** Commits the working tree on a day. */
  readonly commitOn: (day: number, message?: string) => void;
}

/** Long enough ago that everything is in the past: the command uses the real clock. */
const BIRTH = Math.floor(Date.now() / 1000) - 12 * DAY;

const at = (day: number) => new Date((BIRTH + day * DAY) * 1000).toISOString();

/** An agent that starts in a mode, compiled. */
export async function migrating(mode: Mode, over: Partial<TrustRoot> = {}, more = ''): Promise<Migrating> {
  const place = staffed(undefined, over);
  inMode(place.repo, mode, more).write(LEGACY, 'As of old: leave a note, and never forget to. '.repeat(40));
  place.repo.commit('born', BIRTH);
  const root = join(dirname(place.ann.file), 'root.json');
  writeFileSync(join(place.repo.path, '.git/info/exclude'), 'bundle*\nkeys.json\naudit.db*\n*.pem\n');
  if ((await place.compile()).code !== 0) throw new Error('it does not compile');
  const path = place.repo.path;
  const serveHeartbeats: Migrating['serveHeartbeats'] = async (beats, from = 0.5) => {
    let now = (BIRTH + from * DAY) * 1000;
    const trust = { signer: place.ci.signer, root: place.root, pem: '' };
    const server = await running({
      bundle: join(path, 'bundle'),
      trust,
      audit: join(path, 'audit.db'),
      now: () => now,
    });
    for (const [i, { day, report, id }] of beats.entries()) {
      now = (BIRTH + day * DAY) * 1000 + i;
      const headers = id === null ? {} : { 'X-Heartbeat-Id': id ?? `hb-${day}-${i}` };
      const answer = await server.recall('cto', 'cto', { intent: 'done for today, leave work' }, { headers });
      if (report === null) continue;
      const { audit_token } = answer.json();
      const json = { audit_token, used_chunks: report.used ?? [], missed_chunks: report.missed ?? [] };
      const closed = await server.ask('cto', 'POST', '/v1/instruction/audit', { json });
      if (closed.status !== 204) throw new Error(closed.text);
    }
    await server.close();
  };
  const shadow: Migrating['shadow'] = (since, until, ...flags) =>
    place.run(['shadow', '--agent', 'cto', '--since', at(since), '--until', at(until), '--trust', root, ...flags]);
  return {
    ...place,
    ...{ serveHeartbeats, shadow },
    attest: (by, since, until, ...flags) => shadow(since, until, '--attest', '--key', by.file, ...flags),
    commitOn: (day, message = 'change') => {
      place.repo.commit(message, BIRTH + day * DAY);
    },
  };
}

/** A week of heartbeats, one a day from the first day on, each of which used what it received. */
export const WEEK: readonly Beat[] = [1, 2, 3, 4, 5, 6, 7].map((day) => ({ day, report: { used: ['wrap-up'] } }));
