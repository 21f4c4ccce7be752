import {
  ResourceTemplate,
  type McpServer,
  type ReadResourceResult,
  type ResourceMetadata,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Attested } from '../../compiler/schema/api/attested.ts';
import type { Units } from '../../compiler/schema/api/units.ts';
import { MCP_PROFILE } from '../../compiler/schema/bundle/boot-stub.ts';
import type { RawInput } from '../operations/perform.ts';
import type { AgentCaller, OwnOperation } from '../operations/tables/agent-caller.ts';
import { protocolFailure } from './mcp-errors.ts';

/** A document of the agent's, under a URI that stays the same. */
interface Document {
  readonly name: string;
  readonly uri: string;
  readonly operation: OwnOperation;
  readonly type: ResourceMetadata;
}

const DOCUMENTS: readonly Document[] = [
  {
    name: 'boot-stub',
    uri: 'vade://boot-stub',
    operation: 'getBootStub',
    type: { mimeType: 'text/markdown', description: 'Who you are and how to load instructions (profile generic)' },
  },
  {
    name: 'manifest',
    uri: 'vade://manifest',
    operation: 'getManifest',
    type: { mimeType: 'application/json', description: 'The list of your units' },
  },
  {
    name: 'coverage',
    uri: 'vade://coverage',
    operation: 'getCoverage',
    type: { mimeType: 'application/json', description: 'How well your units are found' },
  },
];

/** Registers the agent's documents, its units by fact URI, and the boot stub as a prompt. */
export function registerResources(server: McpServer, caller: AgentCaller): void {
  for (const { name, uri, operation, type } of DOCUMENTS) {
    server.registerResource(name, uri, type, async () => contents(uri, type, await read(caller, operation)));
  }
  const unit = { mimeType: 'text/markdown', description: 'A unit of instructions, as its fact URI names it' };
  const units = new ResourceTemplate('instruction:{+fact}', { list: () => listUnits(caller) });
  server.registerResource('unit', units, unit, async ({ href }) => {
    const fact = (await read(caller, 'getFact', { path: { fact_uri: href } })) as Attested;
    return contents(href, unit, fact.content);
  });
  const description = 'Who you are, when to recall, and which pages there are';
  server.registerPrompt('boot_stub', { description, argsSchema: z.strictObject({}) }, async () => {
    const text = String(await read(caller, 'getBootStub', { query: { profile: MCP_PROFILE } }));
    return { messages: [{ role: 'user', content: { type: 'text', text } }] };
  });
}

/** Every unit; a host that lists resources wants them all, and MCP's templates know no pages. */
async function listUnits(caller: AgentCaller) {
  const resources = [];
  for (let after: string | null = ''; after !== null;) {
    const query = { limit: '500', ...(after !== '' && { after }) };
    const page = (await read(caller, 'listUnits', { query })) as Units;
    for (const { name, description, fact_uri: uri } of page.units)
      resources.push({ name, description, uri, mimeType: 'text/markdown' });
    after = page.next;
  }
  return { resources };
}

/** The answer of an operation, for a host that reads it. @throws ProtocolError with our code */
export async function read(caller: AgentCaller, operation: OwnOperation, input?: Partial<RawInput>): Promise<unknown> {
  return caller.perform(operation, input).catch((error: unknown) => {
    throw protocolFailure(error);
  });
}

function contents(uri: string, { mimeType }: ResourceMetadata, value: unknown): ReadResourceResult {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return { contents: [{ uri, ...(mimeType !== undefined && { mimeType }), text }] };
}
