import { join, resolve } from 'node:path';
import { MAX_SEALED_BYTES, openSealed, readKey } from '../../../capabilities/gate/open-sealed.ts';
import { readBinding } from '../../../capabilities/gate/read-binding.ts';
import { readPinnedRoot } from '../../../capabilities/gate/read-root.ts';
import { realDisk } from '../../../capabilities/paths/disk.ts';
import { realPath } from '../../../capabilities/paths/real-path.ts';
import { clearState } from '../../../capabilities/use-cases/state-writer.ts';
import { readIfThere, readRegular } from '../../../io/files/file.ts';
import { Binding, BINDING_TYPE } from '../../../schema/capability/binding.ts';
import { messageOf, VadeError } from '../../../schema/errors.ts';
import { canonicalJson, sha256 } from '../../../trust/canonical.ts';
import { roleDigest } from '../../../trust/capability-consent.ts';
import type { Signer } from '../../../trust/dsse.ts';
import type { Arguments } from '../../../world/flags/flag.ts';
import { orchestratorKey, pinnedRoot } from '../../../world/trust-keys.ts';
import type { World } from '../../../world/world.ts';
import { plannedChecks } from '../../draft-plan.ts';
import type { LedgerRow } from '../../schema/ledger-row.ts';
import type { Plan } from '../../schema/plan.ts';
import { MAX_AGENT_REPORT, type VerifyReport } from '../../schema/verify-report.ts';
import type { ClearedRights } from '../../worktree/clear-rights.ts';
import type { TASK_VERIFY } from '../flags.ts';
import { withLedger } from '../with-ledger.ts';
import type { Boxing } from './pass-work.ts';
import { spawnedAgent } from './spawned-agent.ts';
import { verifyWork } from './verify-work.ts';

export type VerifyFlags = Omit<Arguments<typeof TASK_VERIFY>, 'report'>;

/**
 * Judges what an agent left and writes the report into the ledger. The approvals of its role are proved once more, so
 * that a stolen key of the orchestrator takes no check away.
 *
 * @param reportFile file with what the agent reported
 * @param cleared rights that a run has taken off what the agent left
 * @throws work_unjudged, agent_not_found, signing_key_required, trust_required, argument_invalid
 */
export async function verifyAgent(
  flags: VerifyFlags,
  reportFile: string | undefined,
  world: World,
  cleared?: ClearedRights,
): Promise<VerifyReport> {
  const orchestrator = orchestratorKey(flags.key, world);
  const pinned = pinnedRoot(flags, world).envelope;
  const report = reportFile === undefined ? null : readReport(resolve(world.cwd, reportFile));
  return judgeable(() =>
    withLedger(flags.repo, world, async (ledger, { repository, tasks }) => {
      if (!flags['dry-run']) clearState({ tasks });
      const key = { keyid: orchestrator.keyid, pem: orchestrator.publicPem };
      const agent = spawnedAgent(ledger, flags.agent, key);
      assertRole(agent.plan, tasks, { orchestrator, pinned, now: world.now().getTime() });
      const { seconds } = flags;
      const boxing = boxingOf(flags, world);
      const judged = await verifyWork(
        { agent, repository, ledger, key, report, seconds, boxing, ...(cleared && { cleared }) },
        world,
      );
      if (!flags['dry-run']) ledger.append(rowOf(judged), orchestrator);
      return judged;
    }),
  );
}

/** The requested sandbox, in which nobody reads the orchestrator's key. */
export function boxingOf({ sandbox, key }: Pick<VerifyFlags, 'key' | 'sandbox'>, { cwd }: World): Boxing {
  return { choice: sandbox, hidden: key === undefined ? [] : [realPath(resolve(cwd, key), realDisk)] };
}

/** Wrong arguments, and an agent that nobody knows, are no judgement. */
const OTHERS = ['argument_invalid', 'agent_not_found', 'source_not_found', 'work_unjudged'];

/** Whatever keeps work from being judged ends as that, with its cause. */
export async function judgeable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof VadeError) || OTHERS.includes(error.code)) throw error;
    throw new VadeError('work_unjudged', error.message, { ...error.details, cause: error.code });
  }
}

/** An agent may have put a link to a secret in the place of its report. */
function readReport(path: string): string {
  try {
    return readRegular(path, MAX_AGENT_REPORT, 'refuse').toString('utf8');
  } catch (error) {
    throw new VadeError('argument_invalid', `the report cannot be read: ${messageOf(error)}`, { flag: 'report' });
  }
}

interface Proof {
  readonly orchestrator: Signer;
  /** The trust root's file. */
  readonly pinned: Buffer;
  readonly now: number;
}

/** The plan has exactly the checks of a role that administrators approved. @throws work_unjudged */
function assertRole(plan: Plan, tasks: string, { orchestrator, pinned, now }: Proof): void {
  const bytes = readIfThere(join(tasks, 'bindings', `${sha256(plan.worktree)}.json`), MAX_SEALED_BYTES, 'refuse');
  const refuse = (why: string) =>
    new VadeError('work_unjudged', `the role of ${plan.agent_id} cannot be verified: ${why}`);
  if (bytes === null) throw refuse('its binding no longer exists');
  try {
    const root = readPinnedRoot(pinned, sha256(pinned), now);
    const { keyid: fingerprint, publicPem } = orchestrator;
    readBinding(bytes, { orchestrator: readKey(publicPem, fingerprint), fingerprint, root, now });
  } catch (error) {
    throw refuse(messageOf(error));
  }
  const { role, agent_id } = Binding.parse(JSON.parse(openSealed(bytes, BINDING_TYPE).payload.toString('utf8')));
  const isSame =
    canonicalJson([plannedChecks(role), role.obeyed_allowed ?? []]) ===
    canonicalJson([plan.checks, plan.obeyed_allowed]);
  if (agent_id !== plan.agent_id || roleDigest(role) !== plan.role.digest || !isSame) {
    throw refuse('its plan has other checks');
  }
}

function rowOf(report: VerifyReport): LedgerRow {
  const text = canonicalJson(report);
  const { agent_id, verdict, plan_digest, at } = report;
  return { format: 1, kind: 'verify', agent_id, at, plan_digest, verdict, report: { digest: sha256(text), text } };
}
