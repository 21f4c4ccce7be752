import { PassThrough } from 'node:stream';
import {
  Client,
  ProtocolError,
  StreamableHTTPClientTransport,
  ReadBuffer,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import { pino } from 'pino';
import { openBundle } from '../../compiler/io/bundle/open-bundle.ts';
import { openQueries } from '../../compiler/io/models/encoder.ts';
import type { Units } from '../../compiler/schema/api/units.ts';
import { VadeError } from '../../compiler/schema/errors.ts';
import { performHere } from '../../server/local.ts';
import type { Operation } from '../../server/operations/operation.ts';
import { OWN_OPERATIONS, type OwnOperation } from '../../server/operations/tables/agent-caller.ts';
import { serveMcp } from '../../server/stdio.ts';
import { tempFolder } from '../support/folder.ts';
import type { CompiledPeers } from './deployment.ts';
import { errorIn } from './mcp/asking.ts';
import type { Running, Who } from './running.ts';

/** Request of an agent, whichever way it goes. */
export interface DoorRequest {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** An answer or the body of an error, without how the door wraps it. */
export type DoorAnswer = { readonly value: unknown } | { readonly error: unknown };

/** One way to the operations; null for what it does not offer. */
export type Door = (operation: OwnOperation, asked: DoorRequest) => Promise<DoorAnswer | null>;

/** The operation by its HTTP route. */
export function httpDoor(server: Running, who: Who, agent: string): Door {
  return async (id, { path = {}, query = {}, body }) => {
    const operation: Operation = OWN_OPERATIONS[id];
    const names = { agent_id: agent, ...path } as Record<string, string>;
    const route = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(names[name] ?? ''));
    const sent = body === undefined ? {} : { json: body };
    const url = `${route}?${new URLSearchParams(query).toString()}`;
    const answer = await server.ask(who, operation.method.toUpperCase(), url, sent);
    if (answer.status >= 400) return { error: answer.json()['error'] };
    if (answer.status === 204) return { value: null };
    return { value: operation.success.cached ? answer.text : answer.json() };
  };
}

/** Those that write or read rows; an audit for each call of the others would cost a thread. */
export const RECORDED: readonly OwnOperation[] = ['recallInstruction', 'closeRecall'];

/** The operation in this process, as the command line performs it. */
export function localDoor({ bundle, trust }: CompiledPeers, agent: string, kept: Kept): Door {
  return async (id, asked) => {
    const { audit, now } = kept;
    const opened = openBundle(bundle, { pinned: trust.root, now: new Date(now()).toISOString() });
    const queries = await openQueries(opened.org.model, audit);
    const caller = { bundle: opened, queries, agent, now, audit: RECORDED.includes(id) ? kept : null };
    try {
      return { value: await performHere(id, caller, asked) };
    } catch (error) {
      if (!(error instanceof VadeError)) throw error;
      const { code, message, details, entry } = error;
      return { error: { code, message, retryable: entry.retryable, details } };
    }
  };
}

/** Where a door keeps its rows. */
export interface Kept {
  readonly audit: string;
  readonly auditKey: string;
  readonly now: () => number;
}

/** The tools and resources of MCP, as the official client asks for them. */
export function mcpDoor(client: Client): Door {
  return async (id, asked) => {
    const ask = OFFERED[id];
    const request = ask?.(client, asked) ?? null;
    if (request === null) return null;
    return request.then(
      (value) => value,
      (error: unknown) => {
        if (error instanceof ProtocolError && error.data !== undefined) return { error: error.data };
        throw error;
      },
    );
  };
}

type Offered = (client: Client, asked: DoorRequest) => Promise<DoorAnswer> | null;

/** The operations that MCP offers; null for an input that it has no place for. */
const OFFERED: Partial<Record<OwnOperation, Offered>> = {
  recallInstruction: (client, { path, query = {}, body }) =>
    path ? null : callTool(client, 'recall_instruction', { ...(body as object), ...query }),
  closeRecall: async (client, { body }) => {
    const told = await callTool(client, 'close_recall', body);
    return 'error' in told ? told : { value: null };
  },
  getBootStub: (client, asked) => document(client, 'vade://boot-stub', asked),
  getManifest: (client, asked) => document(client, 'vade://manifest', asked),
  getCoverage: async (client, asked) => {
    const told = await document(client, 'vade://coverage', asked);
    return told === null || 'error' in told ? told : { value: JSON.parse(String(told.value)) };
  },
  getFact: (client, { path }) => read(client, path?.['fact_uri'] ?? ''),
  listUnits: (client, { path, query }) => (path || query ? null : listed(client)),
} as Partial<Record<OwnOperation, Offered>>;

async function callTool(client: Client, name: string, body: unknown): Promise<DoorAnswer> {
  const called = await client.callTool({ name, arguments: body as Record<string, unknown> });
  return called.isError ? { error: errorIn(called) } : { value: called.structuredContent };
}

function document(client: Client, uri: string, { path, query }: DoorRequest): Promise<DoorAnswer> | null {
  return path || query ? null : read(client, uri);
}

async function read(client: Client, uri: string): Promise<DoorAnswer> {
  const { contents } = await client.readResource({ uri });
  const [first] = contents as { text?: string }[];
  return { value: first?.text };
}

/** The units among the resources; the other members of a listed unit have no place in MCP. */
async function listed(client: Client): Promise<DoorAnswer> {
  const { resources } = await client.listResources();
  const units = resources.filter(({ uri }) => uri.startsWith('instruction:'));
  return { value: units.map(({ name, uri, description }) => ({ name, fact_uri: uri, description })) };
}

/** Parts of an answer that MCP has a place for. */
export const IN_MCP: Partial<Record<OwnOperation, (value: unknown) => unknown>> = {
  listUnits: (value) =>
    (value as Units).units.map(({ name, fact_uri, description }) => ({ name, fact_uri, description })),
  getFact: (value) => (value as { content: string }).content,
};

/** A client of MCP over HTTP. */
export async function httpClient(server: Running, who: Who, path = '/mcp'): Promise<Client> {
  const headers = { authorization: `Bearer ${server.keys[who]}` };
  return connected(new StreamableHTTPClientTransport(new URL(`${server.url}${path}`), { requestInit: { headers } }));
}

/** A client of MCP over stdio, and `vade mcp` without its process. */
export async function stdioClient({ bundle, trust }: CompiledPeers, agent: string, kept: Kept): Promise<Client> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const options = { ...kept, bundle, pinned: trust.root, models: kept.audit, failStale: false };
  await serveMcp({ ...options, agent, folder: tempFolder(), input, output, log: pino({ level: 'silent' }) });
  return connected(streamTransport(output, input));
}

async function connected(transport: Transport): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  return client;
}

/** The transport of a client on two streams. */
export function streamTransport(input: PassThrough, output: PassThrough): Transport {
  const buffer = new ReadBuffer();
  const transport: Transport = {
    start: () => {
      input.on('data', (chunk: Buffer) => {
        buffer.append(chunk);
        for (let it = buffer.readMessage(); it !== null; it = buffer.readMessage()) transport.onmessage?.(it);
      });
      return Promise.resolve();
    },
    send: (message) => {
      output.write(serializeMessage(message));
      return Promise.resolve();
    },
    close: () => {
      output.end();
      return Promise.resolve();
    },
  };
  return transport;
}
