import type { Readable, Writable } from 'node:stream';
import type { Transport } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Logger } from 'pino';
import { agentMissing } from '../compiler/io/bundle/load-garden.ts';
import { stateOf } from './audit/open.ts';
import type { ContinuityOptions } from './continuity/continuity.ts';
import { localCaller } from './local.ts';
import { repetitions } from './log.ts';
import { agentServer } from './mcp/agent-server.ts';
import { HostTransport } from './mcp/host-transport.ts';
import { openRecalls } from './mcp/open-recalls.ts';
import { openBundles, type BundleOptions } from './rollout/bundles.ts';
import type { OpenRollout } from './rollout/rollout.ts';
import { NO_SERVER, openServices, UNCOUNTED, type KeyedAudit } from './services.ts';
import { stderrLog } from './telemetry/stderr-log.ts';

export interface StdioOptions extends KeyedAudit, BundleOptions {
  /** The agent that the host acts as, by id or short name. */
  readonly agent: string;
  /** The folder in which the host works, unless it says others; only its paths are looked at. */
  readonly folder: string;
  /** Whether the host has a tool that explains a recall. */
  readonly explains?: boolean;
  /** The folder of the agents' capsules; without it the host has no tools for them. */
  readonly continuity?: ContinuityOptions | undefined;
  readonly input: Readable;
  readonly output: Writable;
  readonly log?: Logger;
}

export interface StdioServer {
  /** Resolves once the connection is closed: by the host, which may close either end, or by a line that is too long. */
  readonly ended: Promise<void>;
  /** Answers no more, and stores pending data. */
  readonly close: () => Promise<void>;
}

/**
 * Serves MCP for one agent on two streams, until the host closes its end or `close` is called. The log goes to standard
 * error, since standard output usually carries the protocol.
 *
 * @throws bundle_not_found, bundle_unverified, model_unavailable, agent_not_found, output_failed
 */
export async function serveMcp(options: StdioOptions): Promise<StdioServer> {
  const { agent, folder, now } = options;
  const log = options.log ?? stderrLog({ quiet: true });
  const bundles = await openBundles(options, { log, state: stateOf(options), isEnding: () => false });
  const { rollout } = bundles;
  requireAgent(rollout, agent);
  const { continuity } = options;
  const opened = await openServices({ audit: options, continuity, now, log: () => log }, NO_SERVER);
  const services = { ...opened.services, count: UNCOUNTED };
  bundles.begin(services.audit);
  const caller = localCaller(agent, { snapshot: () => rollout.snapshotFor(agent), services });
  const transport = new HostTransport(options.input, options.output);
  const recalls = openRecalls(now);
  const connection = serveStdio(() => agentServer(caller, { recalls, folder, explains: options.explains ?? false }), {
    transport,
    onerror: connectionFaults(log),
  });
  const ended = endOf(transport);
  return {
    ended,
    close: async () => {
      await connection.close();
      await recalls.closeRest(async (body) => void (await caller.perform('closeRecall', { body })));
      bundles.end();
      await opened.end();
    },
  };
}

/**
 * Resolves after the end of the connection, not of the input alone: read requests are answered first, and a transport
 * that failed reads no further.
 */
function endOf(transport: Transport): Promise<void> {
  const { onclose } = transport;
  return new Promise((resolve) => {
    transport.onclose = () => {
      onclose?.();
      resolve();
    };
  });
}

/** Logs what the library drops, each cause once a minute. */
function connectionFaults(log: Logger): (error: Error) => void {
  const countRepeated = repetitions();
  return ({ message: reason }) => {
    const times = countRepeated(reason);
    if (times !== null) log.warn({ reason, times }, 'a message or the connection failed');
  };
}

/** @throws agent_not_found */
function requireAgent(rollout: Pick<OpenRollout, 'snapshotFor'>, agent: string): void {
  const { gardens } = rollout.snapshotFor(agent);
  if (gardens.find(agent) !== null) return;
  throw agentMissing(gardens.bundle, agent);
}
