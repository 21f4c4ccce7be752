import { resolve } from 'node:path';
import { contextAnswer, readHostEvent, type HostEvent } from '../../hosts/host-event.ts';
import { HOST_TABLE } from '../../hosts/hosts.ts';
import { gardenOf, loadGarden, loadShared } from '../../io/bundle/load-garden.ts';
import { appendArrival } from '../../io/files/arrivals-spool.ts';
import { skillPlaces } from '../../io/files/skill-places.ts';
import { openQueries } from '../../io/models/encoder.ts';
import { VadeError } from '../../schema/errors.ts';
import { arrivalsPlace } from '../../world/arrivals-place.ts';
import type { Arguments } from '../../world/flags/flag.ts';
import { inForce } from '../../world/in-force.ts';
import { requireOwnFiles } from '../../world/own-files.ts';
import { pinnedBundle } from '../../world/pinned-bundle.ts';
import { UNCOMPILED } from '../../world/trust-keys.ts';
import type { World } from '../../world/world.ts';
import type { HOOK } from '../flags/hook.ts';
import { answerEvent } from './answer-event.ts';
import { arrivalOf } from './arrival-of.ts';
import { findProject } from './project.ts';
import { forgetOld, openMemory } from './session-memory.ts';
import { ownAgent } from './subagents.ts';

type HookFlags = Arguments<typeof HOOK>;

/** The folder of the session, where the host names it: it may start a hook in another. */
const SESSION_FOLDER = 'CLAUDE_PROJECT_DIR';

/** A hook loads no model from a hub. */
const OFFLINE = { fetch: () => Promise.reject(new Error('a hook does not use the network')) };

/**
 * Answers an event of a host, and reports what it gave to the spool of the audit. It reads one bundle, and no network:
 * a prompt never leaves the machine.
 *
 * @param input what the host wrote: untrusted
 * @returns what the host reads; empty for nothing
 * @throws bundle_not_found, bundle_unverified, agent_not_found, model_unavailable
 */
export async function runHook(flags: HookFlags, input: string, world: World): Promise<string> {
  const event = readHostEvent(input);
  if (event === null) return '';
  const text = await answerIn(flags, event, world).catch((error: unknown) => {
    if (event.kind !== 'start') throw error;
    return isUncompiled(error, flags)
      ? `Tell the user that ${UNCOMPILED}.`
      : `Vademecum could not load the handbook of this project (${codeOf(error)}). Tell the user.`;
  });
  return text === '' ? '' : contextAnswer(event, text, flags.host, isCopilot(world));
}

/** Copilot reads the hooks of Claude Code, and names itself. */
const isCopilot = ({ env }: World) => env['COPILOT_CLI'] === '1';

/** A clone begins without a bundle and a development root: only the person may make them. */
const isUncompiled = (error: unknown, { dev, trust }: HookFlags) =>
  dev && trust === undefined && error instanceof VadeError && error.details['suggestion'] === UNCOMPILED;

const codeOf = (error: unknown) => (error instanceof VadeError ? error.code : 'internal');

/** The context for the model; empty for nothing. */
async function answerIn(flags: HookFlags, event: HostEvent, world: World): Promise<string> {
  const folder = world.env[SESSION_FOLDER] ?? world.cwd;
  const project = findProject(folder, flags.bundle);
  if (project === null) {
    const message = `${folder} and the folders above it have no bundle`;
    throw new VadeError('bundle_not_found', message, { suggestion: UNCOMPILED });
  }
  const [at, home] = [world.now(), { ...world, cwd: project.home }];
  const now = at.toISOString();
  // a session may have begun below the project, or in a worktree of it
  if (flags.dev) await requireOwnFiles({ dev: true }, home);
  const bundle = pinnedBundle(flags, home);
  const agent = (await ownAgent(flags, event, project.tree)) ?? flags.agent;
  const loaded = loadGarden(bundle, gardenOf(bundle, agent), loadShared(bundle));
  const garden = { ...loaded, recall: inForce(bundle)(loaded.recall) };
  const place = arrivalsPlace(home.cwd);
  if (event.kind === 'start') forgetOld(place, at.getTime());
  const context = await answerEvent(event, {
    garden,
    project,
    host: flags.host,
    // Copilot runs the hooks of Claude Code, and has another tool for skills
    skills: skillPlaces(project.tree, isCopilot(world) ? undefined : HOST_TABLE[flags.host].skills?.folder),
    now,
    memory: openMemory(place, event),
    encode: async (intent) => {
      const queries = await openQueries(bundle.org.model, resolve(home.cwd, flags.models), OFFLINE);
      return queries(intent, garden.recall.index);
    },
    keptText: () => keptText(flags, home),
  });
  const agent_id = garden.predicate.agent?.agent_id ?? '';
  const given = { random: world.random, agent_id, bundle_revision: bundle.revision, created_at: at.getTime() };
  const line = arrivalOf(event, context, given, flags.intents === 'full');
  if (line !== null) appendArrival(place, JSON.stringify(line));
  return context.text;
}

/** The startup view of the agent's capsules; empty where none are kept. Loaded at a start alone. */
async function keptText({ continuity, ...flags }: HookFlags, world: World): Promise<string> {
  if (continuity === undefined) return '';
  const { readStartup } = await import('../../continuity/use-cases/startup.ts');
  try {
    return (await readStartup({ ...flags, continuity, budget: KEPT_TOKENS }, world)).text;
  } catch (error) {
    // the instructions come without it
    return `The capsules that you kept could not be read (${codeOf(error)}). Tell the user.`;
  }
}

/** Hosts cut a context of 10,000 characters, and the stub and the guaranteed pages come before. */
const KEPT_TOKENS = 1000;
