import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { RunningServer, ServerOptions } from '../../../server/main.ts';
import { inTrialFolder } from '../../io/files/trial-folder.ts';
import { countTokens } from '../../io/models/tokens.ts';
import type { Bundle } from '../../schema/bundle/bundle.ts';
import { renderDiagnostic } from '../../schema/diagnostics.ts';
import { messageOf } from '../../schema/errors.ts';
import type { KeyHolder } from '../../schema/source/key-file.ts';
import { withSkills } from '../../sources/skills/with-skills.ts';
import { newKey } from '../../trust/keys.ts';
import { endedBy } from '../../world/heed-signal.ts';
import { openKeptResults } from '../../world/kept-results.ts';
import { writeKeyFile } from '../../world/key-file.ts';
import { hubOf } from '../../world/model-hub.ts';
import { development } from '../../world/trust-keys.ts';
import type { World } from '../../world/world.ts';
import { toSecond } from '../to-second.ts';
import { type Attempt, devBundle } from './dev-bundle.ts';
import { look, type Looking, nextChange } from './next-change.ts';

export interface DevOptions {
  readonly repo: string;
  readonly source: string;
  readonly port: number;
  readonly models: string;
  /** Key file; without one, keys are made for the session. */
  readonly keys: string | undefined;
  /** Names of forwarded ports, besides those of this machine. */
  readonly allowHosts: readonly string[];
}

const HOST = '127.0.0.1';

/** Interval at which the server looks for the next bundle. */
const POLL_MS = 50;

/**
 * Serves the working tree until a signal arrives: each change is compiled, and replaces what is served if it has no
 * errors. Everything that the session writes is in a folder of its own, which is removed at the end.
 *
 * @throws interrupted, terminated; source_not_found, address_in_use and what compiling throws, at the start only
 */
export function develop(options: DevOptions, world: World): Promise<never> {
  return inTrialFolder((folder) => serveUntilEnded({ ...options, folder }, world));
}

async function serveUntilEnded(options: DevOptions & Pick<Session, 'folder'>, world: World): Promise<never> {
  const ending = new AbortController();
  const ended = world.ended.then((signal) => {
    ending.abort();
    throw endedBy(signal);
  });
  const session: Session = { ...options, signal: ending.signal, servers: [], told: new Set() };
  const work = run(session, world);
  // the error of the loser was reported already
  work.catch(() => undefined);
  ended.catch(() => undefined);
  try {
    return await Promise.race([work, ended]);
  } finally {
    ending.abort();
    for (const server of session.servers) await server.close();
  }
}

interface Session extends DevOptions {
  /** The session's own folder. */
  readonly folder: string;
  readonly signal: AbortSignal;
  /** The running server, once it runs. */
  readonly servers: RunningServer[];
  /** Warnings of the compile before. */
  told: ReadonlySet<string>;
}

async function run(session: Session, world: World): Promise<never> {
  const { openWorkingTree } = await import('../../io/git/working-tree.ts');
  const repo = resolve(world.cwd, session.repo);
  const opened = await openWorkingTree({ repo, folder: session.source });
  const tree = { ...opened, sources: async () => withSkills(await opened.sources(), countTokens) };
  // before a key is made, which would be of no use here
  await tree.sources();
  const key = development(world);
  const kept = openKeptResults(key.root, key.signer, world);
  const compile = devBundle({ tree, folder: join(session.folder, 'bundle'), key, models: session.models, kept }, world);
  const looking: Looking = {
    stamp: tree.stamp,
    clock: () => world.now().getTime(),
    wait: (ms) => setTimeout(ms, undefined, { signal: session.signal }),
  };
  let known = look(looking);
  for (let attempt: Attempt | null = await compile(); ; attempt = await attemptAgain(compile, world)) {
    session.signal.throwIfAborted();
    if (attempt) await publish(attempt, session, world);
    if (attempt) await reportLint(attempt, session, world);
    known = await nextChange(known, looking);
  }
}

/** Once something was served, nothing that an author writes ends the session. */
async function attemptAgain(compile: () => Promise<Attempt>, world: World): Promise<Attempt | null> {
  try {
    return await compile();
  } catch (error) {
    world.say([`error: ${messageOf(error)}`]);
    return null;
  }
}

async function publish({ bundle, gardens, reused, ms }: Attempt, session: Session, world: World): Promise<void> {
  if (bundle === null) return;
  const compiled = `${gardens - reused} of ${gardens} gardens compiled in ${Math.round(ms)} ms`;
  world.say(`${bundle.revision.slice(0, bundle.revision.indexOf('-') + 9)} (unversioned): ${compiled}`);
  if (session.servers.length === 0) await serve(bundle, session, world);
}

async function serve(bundle: Bundle, session: Session, world: World): Promise<void> {
  const { startServer } = await import('../../../server/main.ts');
  const own = (name: string) => join(session.folder, name);
  const keys = session.keys === undefined ? sessionKeys(own('keys.json'), bundle, world) : null;
  const server = await startServer({
    host: HOST,
    port: session.port,
    bundle: own('bundle'),
    pollMs: POLL_MS,
    pinned: development(world).root,
    audit: own('audit.db'),
    state: own('audit'),
    intents: 'full',
    spoolBytes: 64 * 1024 * 1024,
    optional: true,
    auditKey: undefined,
    checkpointKey: undefined,
    keys: session.keys === undefined ? own('keys.json') : resolve(world.cwd, session.keys),
    models: resolve(world.cwd, session.models),
    hub: hubOf(world),
    failStale: false,
    rateLimit: 0,
    allowHosts: session.allowHosts,
    development: true,
    quiet: true,
    briefs: briefsOf(session, world),
    now: () => world.now().getTime(),
  });
  session.servers.push(server);
  for (const line of greeting(server.url, keys)) world.say(line);
}

/** Briefs of the files as they are now. */
function briefsOf({ repo, source }: Session, world: World): NonNullable<ServerOptions['briefs']> {
  return async ({ kind, ...of }) => {
    const { printBrief } = await import('../brief/print-brief.ts');
    return (await printBrief(kind, { ...of, repo, source, missing: false }, world)).markdown;
  };
}

/** Maximum number of agents whose keys are printed. */
const MOST_KEYS = 10;

function greeting(url: string, keys: SessionKeys | null): string[] {
  const agents = [...(keys?.agents ?? [])];
  const more = agents.length > MOST_KEYS ? [`  and ${agents.length - MOST_KEYS} more agents: use --keys`] : [];
  return [
    `  page  ${url}/ui${keys ? `  key ${keys.admin}` : ''}`,
    `  MCP   ${url}/mcp, with the key of an agent; the key of the page also gives the briefs as prompts`,
    ...agents.slice(0, MOST_KEYS).map(([name, key]) => `  agent ${name}  key ${key}`),
    ...more,
    `ready: ${url} serves the working tree with its uncommitted edits; press Ctrl-C to stop`,
  ];
}

/** Maximum number of diagnostics that are printed at each change. */
const MOST_LINES = 50;

/** Errors at each change, and warnings that were not there before it. */
async function reportLint({ bundle, lint }: Attempt, session: Session, world: World): Promise<void> {
  const found = await lint();
  const errors = found.filter((it) => it.severity === 'error');
  const warnings = found.filter((it) => it.severity !== 'error').map(renderDiagnostic);
  const lines = [...errors.map(renderDiagnostic), ...warnings.filter((it) => !session.told.has(it))];
  session.told = new Set(warnings);
  for (const line of lines.slice(0, MOST_LINES)) world.say(line);
  if (lines.length > MOST_LINES) world.say(`and ${lines.length - MOST_LINES} more`);
  const served = session.servers.length > 0 ? 'the last good bundle stays in service' : 'nothing is served yet';
  const counted = `${errors.length} errors and ${warnings.length} warnings; vade lint lists them all`;
  world.say(bundle === null ? `${counted}; ${served}` : counted);
}

/** Keys that end with their session. */
interface SessionKeys {
  /** Opens the page. */
  readonly admin: string;
  /** By short name; of the agents that the bundle has now. */
  readonly agents: ReadonlyMap<string, string>;
}

/** Writes a key file for one session: a key for the page, and one for each agent. @throws output_failed */
function sessionKeys(path: string, { statement }: Bundle, world: World): SessionKeys {
  const { deployment, gardens } = statement.predicate;
  const at = toSecond(world.now());
  const make = (holder: KeyHolder) => newKey(holder, 'vade dev', at, world.random(40));
  const admin = make({ kind: 'admin', entity: `${deployment}/human/developer` });
  const agents = gardens.flatMap(({ garden, agent_id }) =>
    agent_id === null ? [] : [[garden, make({ kind: 'agent', agent: garden, agent_id })] as const],
  );
  writeKeyFile(path, [admin.record, ...agents.map(([, { record }]) => record)]);
  return { admin: admin.key, agents: new Map(agents.map(([name, { key }]) => [name, key])) };
}
