import { VadeError } from '../../schema/errors.ts';
import { instant } from '../../schema/primitives.ts';
import type { Arguments } from '../../world/flags/flag.ts';
import { orchestratorKey } from '../../world/trust-keys.ts';
import type { World } from '../../world/world.ts';
import type { DECISION } from './flags.ts';
import { planOf, withLedger } from './with-ledger.ts';
import { unbind } from './withdraw-agent.ts';

export type DecisionFlags = Arguments<typeof DECISION>;

/** A row that was, or would be, added. */
export interface Decision {
  readonly kind: 'bypass' | 'revocation';
  readonly agent_id: string;
  readonly atom: string | null;
  readonly reason: string;
  readonly at: string;
}

/**
 * Notes that the check of an atom does not count for an agent. Only what the role keeps the bypass of can be bypassed:
 * two administrators approved that, and the orchestrator alone cannot.
 *
 * @throws bypass_approval_required, agent_not_found, bundle_unverified, signing_key_required, ledger_unreadable
 */
export function bypassAtom(flags: DecisionFlags & { readonly atom: string }, world: World): Promise<Decision> {
  const orchestrator = orchestratorKey(flags.key, world);
  return withLedger(flags.repo, world, (ledger) => {
    const { bypasses, role } = planOf(flags.agent, ledger, orchestrator);
    if (!bypasses.some((it) => it === flags.atom)) {
      const message = `the role ${role.name} does not list ${flags.atom} in bypasses`;
      const suggestion = `two administrators approve it: vade approve --kind bypass --role ${role.name}`;
      throw new VadeError('bypass_approval_required', message, { suggestion });
    }
    const row = { format: 1, kind: 'bypass', ...decided(flags, world), atom: flags.atom } as const;
    if (!flags['dry-run']) ledger.append(row, orchestrator);
    return row;
  });
}

/**
 * Ends an agent: its binding goes, so the gate denies every call that it still makes. With an atom, only the bypass of
 * that atom ends.
 *
 * @throws agent_not_found, bundle_unverified, signing_key_required, ledger_unreadable, output_failed
 */
export function revokeAgent(
  flags: DecisionFlags & { readonly atom: string | undefined },
  world: World,
): Promise<Decision> {
  const orchestrator = orchestratorKey(flags.key, world);
  return withLedger(flags.repo, world, (ledger, place) => {
    const { worktree } = planOf(flags.agent, ledger, orchestrator);
    const row = { format: 1, kind: 'revocation', ...decided(flags, world), atom: flags.atom ?? null } as const;
    if (flags['dry-run']) return row;
    // first it can do nothing more; a row that cannot be written then is written by a second try
    if (row.atom === null) unbind(place, worktree);
    ledger.append(row, orchestrator);
    return row;
  });
}

function decided({ agent, reason }: DecisionFlags, world: World) {
  return { agent_id: agent, reason, at: instant(Math.floor(world.now().getTime() / 1000)) };
}
