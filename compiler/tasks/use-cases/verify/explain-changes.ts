import { instant } from '../../../schema/primitives.ts';
import type { Arguments } from '../../../world/flags/flag.ts';
import { orchestratorKey } from '../../../world/trust-keys.ts';
import type { World } from '../../../world/world.ts';
import type { GitChange } from '../../schema/git-state.ts';
import { privateGit } from '../../worktree/private-git.ts';
import { runFolder } from '../../worktree/run-folder.ts';
import type { TASK_EXPLAIN } from '../flags.ts';
import { withLedger } from '../with-ledger.ts';
import { watchGit } from './git-watch.ts';
import { guardChanges } from './guard-watch.ts';
import { rowsSince, spawnedAgent } from './spawned-agent.ts';

export type ExplainFlags = Arguments<typeof TASK_EXPLAIN>;

/**
 * Notes in the ledger why `.git`, or what guards, changed since an agent was started: a person says that it is right.
 * From then on these changes hold no merge, of no agent.
 *
 * @returns the changes that nothing explained before
 * @throws agent_not_found, bundle_unverified, signing_key_required, ledger_unreadable
 */
export function explainChanges(flags: ExplainFlags, world: World): Promise<GitChange[]> {
  const orchestrator = orchestratorKey(flags.key, world);
  const key = { keyid: orchestrator.keyid, pem: orchestrator.publicPem };
  return withLedger(flags.repo, world, async (ledger, { repository }) => {
    const agent = spawnedAgent(ledger, flags.agent, key);
    const folder = runFolder();
    try {
      const git = await privateGit(repository, folder.path);
      const rows = rowsSince(ledger, flags.agent, key);
      const { changes } = await watchGit(git, repository.common, agent, rows);
      const guard = guardChanges(agent, repository, rows, world);
      const shared = [...changes, ...guard].map(({ path, before, after }) => ({ path, before, after }));
      if (shared.length > 0 && !flags['dry-run']) {
        const at = instant(Math.floor(world.now().getTime() / 1000));
        const { agent: agent_id, reason } = flags;
        ledger.append({ format: 1, kind: 'explanation', agent_id, at, changes: shared, reason }, orchestrator);
      }
      return shared;
    } finally {
      folder.remove();
    }
  });
}
