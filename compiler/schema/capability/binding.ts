import { z } from 'zod';
import { EntityUri } from '../uri.ts';
import { RoleName } from './atom-name.ts';
import { GivenValues } from './parameters.ts';
import { ResolvedRole } from './resolved-role.ts';

/** The payload type of the DSSE envelope that a binding lies in. */
export const BINDING_TYPE = 'application/vnd.vademecum.binding+json';

/** The reason why a role is in force, which the gate proves once more for every call. */
export const RoleConsent = z.strictObject({
  /** Authors of any part of it: they cannot approve it. */
  authors: z.array(EntityUri).max(1024),
  /** Whether commit keys of the trust root prove who wrote it. */
  proven: z.boolean(),
  /** The administrators' approvals, as DSSE envelopes. Empty under a development root. */
  approvals: z.array(z.string().max(65_536)).max(64),
});

/** Agent and role of a worktree: sealed by the orchestrator, read by the gate. */
export const Binding = z.strictObject({
  format: z.literal(1),
  /** The real, absolute path. */
  worktree: z.string().min(2).max(4096).startsWith('/'),
  agent_id: z.string().regex(/^[A-Za-z0-9._:-]{1,128}$/),
  /** The agent that spawned it; null if the orchestrator did. */
  parent: z.string().max(128).nullable(),
  task: z.string().max(128),
  role: ResolvedRole,
  consent: RoleConsent,
  parameters: GivenValues,
  /** Roles that the agent may start; empty for none. */
  spawns: z.array(RoleName).max(64),
  bundle_revision: z.string().max(256),
});

export type RoleConsent = z.infer<typeof RoleConsent>;
export type Binding = z.infer<typeof Binding>;
/** The parts of a role that the gate reads; its texts and checks are for others. */
export type BoundRole = Pick<ResolvedRole, 'gates' | 'role' | 'shell' | 'tools'>;

/** A binding as the gate reads it. */
export type BoundAgent = Omit<Binding, 'consent' | 'role'> & { readonly role: BoundRole };
