import { z } from 'zod';

/** A unit's, agent's or deployment's name: lower-case letters, digits and hyphens (DESIGN §5). */
export const Name = z
  .string()
  .max(64)
  .regex(/^[a-z0-9][a-z0-9-]*$/, 'use lower-case letters, digits and hyphens');

/** Names that would collide with a path or URI that has a fixed meaning. */
export const RESERVED_NAMES: readonly string[] = ['manifest', 'agent', 'shared', 'boot'];

/** Names that no agent may have: a garden of another kind has them. */
export const RESERVED_GARDENS: readonly string[] = [...RESERVED_NAMES, 'capabilities', 'roles'];

/** The garden of atoms and roles. */
export const CAPABILITIES = 'capabilities';

/** The garden that every agent of a deployment may read. */
export const SHARED = 'shared';

/** A parsed `instruction:` URI (§21.4.1); `agent` is null for a unit of the shared garden. */
export interface InstructionUri {
  readonly deployment: string;
  readonly agent: string | null;
  readonly unit: string;
  readonly version: number;
}

const PATTERN =
  /^instruction:([a-z0-9][a-z0-9-]*)\/(?:(?:agent\/)?([a-z0-9][a-z0-9-]*)\/)?([a-z0-9][a-z0-9-]*)\/v([1-9][0-9]{0,8})$/;

/** Parses a URI; the short form without `agent/` is accepted. Returns null for any other text. */
export function parseUri(text: string): InstructionUri | null {
  const match = PATTERN.exec(text);
  if (!match) return null;
  const [, deployment = '', agent, unit = '', version] = match;
  return { deployment, agent: agent ?? null, unit, version: Number(version) };
}

/** Writes the canonical form: `instruction:acme/agent/cto/checkout/v3`, shared `instruction:acme/checkout/v3`. */
export function formatUri(uri: InstructionUri): string {
  const owner = uri.agent === null ? '' : `agent/${uri.agent}/`;
  return `instruction:${uri.deployment}/${owner}${uri.unit}/v${uri.version}`;
}

/** The URI of all versions of a unit: its URI without the version. */
export function seriesUri(uri: InstructionUri): string {
  return formatUri(uri).replace(/\/v\d+$/, '');
}

/** The URI of version `version` of `unit` in the garden called `garden` (an agent's name, or `shared`). */
export function unitUri(deployment: string, garden: string, unit: string, version: number): string {
  return formatUri({ deployment, agent: garden === SHARED ? null : garden, unit, version });
}

/** The URI of a version of an atom: `capability:acme/policy::no-git-ops/v2`. */
export function atomUri(deployment: string, atom: string, version: number): string {
  return `capability:${deployment}/${atom}/v${version}`;
}

/** The URI of a version of a role: `role:acme/edit-local/v1`. */
export function roleUri(deployment: string, role: string, version: number): string {
  return `role:${deployment}/${role}/v${version}`;
}

/** A garden's id (§21.4.4): `instruction:{deployment}:{agent_id}`. */
export function gardenId(deployment: string, agentId: string): string {
  return `instruction:${deployment}:${agentId}`;
}

/** An entity URI (§21.4.3): `{deployment}/{human|system|agent}/{name}`. */
export const EntityUri = z.string().regex(/^[a-z0-9][a-z0-9-]*\/(human|system|agent)\/[a-z0-9][a-z0-9.-]*$/);
