import type { ErrorCode } from '../../../compiler/schema/errors.ts';
import type { Namespace } from '../../../compiler/schema/source/key-file.ts';
import { ownAgent } from '../../auth/authorize.ts';
import type { Operation } from '../operation.ts';
import { requireOwner } from './capsule-calls.ts';

/** Members of every operation on an owner's store. */
const OWN = {
  access: 'agents',
  about: (_path, identity) => ownAgent(identity),
  permit: requireOwner,
} as const satisfies Partial<Operation>;

/** Members of an operation that only reads a namespace of the store. */
export function reading(namespace: Namespace) {
  return { ...OWN, effect: 'read', needs: { scope: 'continuity:read', namespace } } as const;
}

/** Members of an operation that changes a namespace of the store. */
export function writing(namespace: Namespace) {
  return { ...OWN, effect: 'write', needs: { scope: 'continuity:write', namespace } } as const;
}

/** Errors of every operation on an owner's store. */
export const STORE_ERRORS = [
  'continuity_disabled',
  'continuity_unavailable',
  'continuity_unusable',
  'agent_not_found',
] as const satisfies ErrorCode[];

/** Errors of those that change it. */
export const STORE_WRITE_ERRORS = [...STORE_ERRORS, 'secret_refused'] as const satisfies ErrorCode[];
