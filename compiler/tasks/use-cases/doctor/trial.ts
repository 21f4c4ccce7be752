import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ORCHESTRATOR_FILE, ROOT_FILE } from '../../../capabilities/gate/disk-store.ts';
import { sealBinding } from '../../../capabilities/gate/seal-binding.ts';
import { resolveRole } from '../../../capabilities/resolve/resolve-role.ts';
import { openLibrary } from '../../../capabilities/use-cases/library.ts';
import type { Binding } from '../../../schema/capability/binding.ts';
import type { ResolvedRole } from '../../../schema/capability/resolved-role.ts';
import { VadeError } from '../../../schema/errors.ts';
import { signApproval } from '../../../trust/approval.ts';
import { sha256 } from '../../../trust/canonical.ts';
import { roleClaims } from '../../../trust/capability-consent.ts';
import { signerFromPem, type Signer } from '../../../trust/dsse.ts';
import { foundRoot, newSigningKey } from '../../../trust/root-chain.ts';

/** A worktree with a bound agent, made to fire hooks in. All paths are absolute and real. */
export interface Trial {
  readonly worktree: string;
  /** The folder that holds the worktree. */
  readonly worktrees: string;
  /** The folder of bindings. */
  readonly tasks: string;
  /** The file of the worktree's binding. */
  readonly binding: string;
  /** A folder that is no agent's. */
  readonly person: string;
  /** Fingerprints of the orchestrator's key and of the trust root. */
  readonly key: string;
  readonly root: string;
  readonly orchestrator: Signer;
}

/** The trial's agent, and its task. */
export const TRIAL = 'trial';

/** The standard role that is tried: it may read, and run cargo, and use no git. */
export const ROLE = 'edit-local';

/** Makes a trial in an empty folder: new keys, a trust root, and an approved and sealed binding. */
export function createTrial(folder: string): Trial {
  const at = (...names: string[]) => join(folder, ...names);
  const worktrees = at('trees');
  const worktree = at('trees/one');
  const tasks = at('vade');
  const person = at('person');
  for (const it of [worktree, tasks, person]) mkdirSync(it, { recursive: true });
  const orchestrator = newSigner();
  const administrator = newSigner();
  const { envelope } = foundRoot(
    { root: administrator, bundle: administrator },
    { deployment: 'trial', admins: [{ entity: 'trial/human/administrator', ...administrator }] },
  );
  const { bytes, file } = sealBinding(bindingFor(worktree, administrator), orchestrator);
  const binding = join(tasks, file);
  mkdirSync(dirname(binding));
  writeFileSync(binding, bytes);
  writeFileSync(join(tasks, ORCHESTRATOR_FILE), orchestrator.publicPem);
  writeFileSync(join(tasks, ROOT_FILE), envelope);
  return { worktree, worktrees, tasks, binding, person, key: orchestrator.keyid, root: sha256(envelope), orchestrator };
}

function newSigner(): Signer {
  return signerFromPem(newSigningKey());
}

function bindingFor(worktree: string, administrator: Signer): Binding {
  const role = trialRole();
  const given = { source_digest: null, note: null, expires: null };
  const approvals = roleClaims('trial', role).map((it) => signApproval({ ...it, ...given }, [administrator]));
  return {
    format: 1,
    worktree,
    agent_id: TRIAL,
    parent: null,
    task: TRIAL,
    role,
    consent: { authors: [], proven: true, approvals: approvals.map((it) => it.toString('utf8')) },
    // no lists: what is denied, the guard denies
    parameters: {},
    spawns: [],
    bundle_revision: '',
  };
}

function trialRole(): ResolvedRole {
  const { resolved } = resolveRole(ROLE, openLibrary().capabilities);
  if (resolved === null) throw new VadeError('internal', `the library's role ${ROLE} cannot be resolved`);
  return resolved;
}
