import { resolve } from 'node:path';
import { proveRole } from '../../io/bundle/load-capabilities.ts';
import { GivenValues } from '../../schema/capability/parameters.ts';
import type { ResolvedRole } from '../../schema/capability/resolved-role.ts';
import { messageOf, VadeError } from '../../schema/errors.ts';
import { blobStore } from '../../sources/blobs.ts';
import { classifyFiles } from '../../sources/classify-files.ts';
import { capabilityBlobs } from '../../sources/place-capability.ts';
import type { Arguments } from '../../world/flags/flag.ts';
import { pinnedBundle } from '../../world/pinned-bundle.ts';
import { readSources } from '../../world/read-sources.ts';
import type { World } from '../../world/world.ts';
import { resolveSources } from '../garden/resolve-sources.ts';
import { decide, type GateFinding } from '../gate/decide.ts';
import { readCall } from '../gate/read-call.ts';
import { readEvent } from '../gate/read-event.ts';
import { realDisk } from '../paths/disk.ts';
import { realPath } from '../paths/real-path.ts';
import type { CAPABILITY_CHECK } from './flags.ts';

export type CheckFlags = Arguments<typeof CAPABILITY_CHECK>;

/** The findings of a role on one tool call; the first denial that blocks decides. */
export interface CheckedEvent {
  readonly findings: readonly GateFinding[];
  readonly denied: readonly GateFinding[];
}

/**
 * Asks every atom of a role about one tool call, as the gate would if an agent with this role made it here. The role
 * comes from a bundle, where its approvals are proved, or from the sources as they are.
 *
 * @throws fact_not_found, sources_invalid, bundle_unverified, argument_invalid
 */
export async function checkEvent(text: string, flags: CheckFlags, world: World): Promise<CheckedEvent> {
  const role =
    flags.bundle === undefined ? await roleOfSources(flags, world) : roleOfBundle(flags.bundle, flags, world);
  const home = realPath(world.env['HOME'] ?? '/', realDisk);
  const event = eventOf(text);
  const worktree = realPath(resolve(world.cwd, event.cwd), realDisk);
  const binding = {
    format: 1 as const,
    worktree,
    agent_id: 'check',
    parent: null,
    task: 'check',
    role,
    parameters: parametersOf(flags.parameters),
    spawns: [],
    bundle_revision: '',
  };
  const findings = judged(() => {
    const call = readCall({ ...event, cwd: worktree }, worktree, home, realDisk, role.tools.reading);
    return decide(call, binding, { paths: [], home }, {});
  });
  const denied = findings.filter(({ severity, outcome }) => severity === 'block' && outcome.outcome === 'deny');
  return { findings, denied };
}

function eventOf(text: string) {
  return judged(() => readEvent(text));
}

function judged<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new VadeError('argument_invalid', `the event cannot be judged: ${messageOf(error)}`);
  }
}

function parametersOf(text: string | undefined): GivenValues {
  if (text === undefined) return {};
  try {
    return GivenValues.parse(JSON.parse(text));
  } catch {
    const message = '--parameters is not a JSON object of parameters, such as {"files-whitelist": ["src/**"]}';
    throw new VadeError('argument_invalid', message, { flag: 'parameters' });
  }
}

function roleOfBundle(folder: string, flags: CheckFlags, world: World): ResolvedRole {
  return proveRole(pinnedBundle({ ...flags, bundle: folder }, world), flags.role).resolved;
}

async function roleOfSources({ repo, source, role }: CheckFlags, world: World): Promise<ResolvedRole> {
  const sources = await readSources({ repo, source, ref: undefined }, world);
  const { site } = classifyFiles(sources);
  const blobs = blobStore(sources);
  await blobs.load(capabilityBlobs(site));
  return resolveSources(role, site, sources.folder, blobs.read).resolved;
}
