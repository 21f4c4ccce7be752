import { VadeError } from '../../compiler/schema/errors.ts';
import type { Namespace, KeyScope } from '../../compiler/schema/source/key-file.ts';
import type { Identity } from './authenticate.ts';

/** The scope and the namespace that an operation needs of a key, beside the rights of its holder. */
export interface Need {
  readonly scope: KeyScope;
  /** The part of an agent's store that it touches. */
  readonly namespace?: Namespace | undefined;
}

/**
 * Keys and tokens may be limited to some of what their holder may do.
 *
 * @throws instruction_scope_denied
 */
export function requirePermit({ permits }: Pick<Identity, 'permits'>, { scope, namespace }: Need): void {
  if (permits?.scopes?.includes(scope) === false) throw beyond(`the scope ${scope}`);
  if (namespace !== undefined && !hasNamespace({ permits }, namespace)) throw beyond(`the namespace ${namespace}`);
}

/** Whether a key may touch a part of the store, for an answer that leaves out what it may not. */
export function hasNamespace({ permits }: Pick<Identity, 'permits'>, namespace: Namespace): boolean {
  return permits?.namespaces?.includes(namespace) !== false;
}

function beyond(what: string): VadeError {
  return new VadeError('instruction_scope_denied', `this key or token does not have ${what}`);
}
