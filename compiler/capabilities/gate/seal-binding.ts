import { Binding, BINDING_TYPE } from '../../schema/capability/binding.ts';
import { canonicalBytes, sha256 } from '../../trust/canonical.ts';
import { signEnvelope, type Signer } from '../../trust/dsse.ts';
import { MAX_SEALED_BYTES } from './open-sealed.ts';

/** Seals a binding with the orchestrator's key. @returns the envelope's bytes and the name of its file */
export function sealBinding(binding: Binding, orchestrator: Signer): { bytes: Buffer; file: string } {
  const checked = Binding.parse(binding);
  const bytes = signEnvelope(BINDING_TYPE, canonicalBytes(checked), [orchestrator], MAX_SEALED_BYTES);
  return { bytes, file: `bindings/${sha256(checked.worktree)}.json` };
}
