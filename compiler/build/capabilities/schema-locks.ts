import { LOCK_HELP, shapesDigest } from '../../capabilities/lock/schema-lock.ts';
import { diagnostic, type Diagnostic } from '../../schema/diagnostics.ts';
import type { FiledLock } from '../approvals/filed-locks.ts';
import { lockStates, openLocks, type JudgedLock, type LockState } from '../approvals/lock-states.ts';
import { use, type Approved } from '../approvals/used-approvals.ts';
import type { CapabilityContext } from './capability-context.ts';

const LAPSED: Readonly<Partial<Record<LockState, string>>> = {
  expired: 'the lock has ended by itself',
  ended: 'administrators ended the lock',
  malformed: 'it is no lock as vade approve writes it',
};

/**
 * Refuses to compile atoms and roles while administrators have locked other shapes than this program has. Locks of exactly
 * these shapes go into the bundle, so that whoever starts agents from it knows them.
 *
 * @param shapes the digest of this program's shapes
 */
export function judgeLocks(
  { decisions }: Pick<CapabilityContext, 'decisions'>,
  shapes: () => string = shapesDigest,
): Approved {
  const files = new Map<string, Buffer>();
  if (decisions.locks.length === 0) return { used: [], files, faults: [] };
  const states = lockStates(decisions);
  const own = shapes();
  const held = states.locks.filter(({ state }) => state === 'in_force');
  const used = held
    .filter(({ approval }) => approval.value === own)
    .map((it) => ({ ...use({ unit: null, kind: 'schema_lock' }, it.by, it.given, files), expires: it.until }));
  const short = [...states.locks.filter(({ state }) => state === 'short'), ...states.shortEnds];
  const open = new Set(openLocks(states).map(({ id }) => id));
  const faults = [
    ...held.filter(({ approval }) => approval.value !== own).map((it) => locked(it, own)),
    ...short.filter(({ isPresent }) => isPresent).map((it) => shortOf(it, decisions.threshold)),
    ...states.locks.flatMap((it) => (it.isPresent ? lapsed(it, LAPSED[it.state]) : [])),
    ...states.ends
      .filter(({ isPresent, approval }) => isPresent && !approval.sources?.some((it) => open.has(it)))
      .flatMap((it) => lapsed(it, 'every lock that it ends has ended')),
  ];
  return { used, files, faults };
}

function locked({ approval, by, until, file, isPresent }: JudgedLock, own: string): Diagnostic {
  const [theirs, ours] = [approval.value, own].map((it) => it.slice(0, 12));
  const gone = isPresent ? '' : '; its file was deleted, which does not end it';
  const message = `${by.join(', ')} locked the shapes ${theirs ?? ''} until ${until}, and this vade has ${ours ?? ''}${gone}`;
  return diagnostic('schema_locked', file, message, LOCK_HELP);
}

function shortOf({ approval, by, file }: FiledLock, needed: number): Diagnostic {
  const what = approval.kind === 'schema_lock' ? 'the lock' : 'the end of the lock';
  const message = `${what} takes ${needed} administrators, and ${by.length} signed it`;
  const note = approval.kind === 'schema_lock' ? `--expires ${approval.expires ?? '<time>'}` : `--note <the same>`;
  const help = `another administrator runs: vade approve --kind ${approval.kind} ${note} --key <PEM>; or remove it`;
  return diagnostic('schema_lock_short', file, message, help);
}

function lapsed({ file }: FiledLock, why: string | undefined): Diagnostic[] {
  return why === undefined ? [] : [diagnostic('approval_lapsed', file, why, 'remove it')];
}
