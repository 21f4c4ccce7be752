import { dirname, join } from 'node:path';
import { replaceFile } from '../../io/files/durable.ts';
import { readIfThere } from '../../io/files/file.ts';
import { gateProgram, vadeProgram } from '../../io/programs/gate-file.ts';
import { MAX_ENVELOPE_BYTES } from '../../schema/bundle/bundle.ts';
import { sha256 } from '../../trust/canonical.ts';
import type { Arguments } from '../../world/flags/flag.ts';
import { readPublicKey } from '../../world/read-public-key.ts';
import { pinnedRoot } from '../../world/trust-keys.ts';
import type { World } from '../../world/world.ts';
import { ORCHESTRATOR_FILE, ROOT_FILE } from '../gate/disk-store.ts';
import { MAX_SEALED_BYTES } from '../gate/open-sealed.ts';
import { hookFor, worktreeHookFor, type Hook } from '../hooks/hook-command.ts';
import { proposedSandbox } from '../hooks/host-sandbox.ts';
import { withHook, withoutHook } from '../hooks/host-settings.ts';
import type { CAPABILITY_INSTALL, CAPABILITY_UNINSTALL } from './flags.ts';
import { openSettings, saveSettings } from './settings-file.ts';
import { stateFolder } from './state-folder.ts';
import { writeState } from './state-writer.ts';

type PlaceFlags = Arguments<typeof CAPABILITY_UNINSTALL>;

type InstallFlags = Arguments<typeof CAPABILITY_INSTALL>;

/** The change that was, or would be, made. */
export interface HookChange {
  readonly changed: boolean;
  readonly settings: string;
  readonly tasks: string;
  readonly hook: Hook | null;
  /** Settings of the host's own sandbox that the user may adopt, if they were asked for. */
  readonly host_sandbox: Readonly<Record<string, unknown>> | null;
}

/**
 * Lets the host ask the gate before every tool call, for one repository. The public key of the orchestrator and the
 * trust root are copied beside the bindings; the hook names both by fingerprint, so that any other file there is
 * ignored.
 *
 * @throws argument_invalid, source_not_found, trust_required, file_locked, output_failed
 */
export async function installHooks(flags: InstallFlags, world: World): Promise<HookChange> {
  const { tasks, worktrees } = await stateFolder(flags.repo, flags.worktrees, world);
  const { keyid, pem } = readPublicKey(flags.orchestrator, 'orchestrator', world);
  const { envelope } = pinnedRoot(flags, world);
  const file = openSettings(flags.settings, world);
  const places = { tasks, worktrees, settings: file.path };
  const hook = hookFor({ ...gateProgram(), ...places, key: keyid, root: sha256(envelope) });
  const hooked = withHook(file.settings, hook);
  const giving = flags['worktree-hook']
    ? worktreeHookFor({ ...gateProgram(), vade: vadeProgram(), tasks, key: keyid })
    : null;
  const settings = giving === null ? hooked : withHook(hooked, giving, 'WorktreeCreate');
  const pins = [
    [join(tasks, ORCHESTRATOR_FILE), Buffer.from(pem)],
    [join(tasks, ROOT_FILE), envelope],
  ] as const;
  const changed = pins.filter(([path, bytes]) => readIfThere(path, MAX_ENVELOPE_BYTES)?.equals(bytes) !== true);
  if (!flags['dry-run']) {
    // a hook without its pins denies every bound agent: the other order would be no safer
    writeState({ tasks }, () => {
      for (const [path, bytes] of changed) replaceFile(path, bytes, { folders: true, limit: MAX_SEALED_BYTES });
    });
    saveSettings(file, settings);
  }
  const kept = [dirname(tasks), dirname(gateProgram().gate), dirname(file.path)];
  return {
    ...{ changed: settings !== file.settings || changed.length > 0, settings: file.path, tasks, hook },
    host_sandbox: flags['host-sandbox'] ? proposedSandbox(kept) : null,
  };
}

/** Takes the hooks of one repository out of the settings, and leaves everything else. @throws as `installHooks` */
export async function uninstallHooks(flags: PlaceFlags, world: World): Promise<HookChange> {
  const { tasks } = await stateFolder(flags.repo, undefined, world);
  const file = openSettings(flags.settings, world);
  const settings = withoutHook(file.settings, tasks);
  if (!flags['dry-run']) saveSettings(file, settings);
  return { changed: settings !== file.settings, settings: file.path, tasks, hook: null, host_sandbox: null };
}
