import { Readable } from 'node:stream';
import type { AuthInfo, McpHttpHandler } from '@modelcontextprotocol/server';
import express, { type Request as HttpRequest, type RequestHandler, type Response as HttpResponse } from 'express';
import { callerOf as callerUnder, denied, ownAgent } from '../auth/authorize.ts';
import type { RateLimits } from '../auth/rate-limits.ts';
import type { ToolSet } from '../mcp/agent-server.ts';
import type { McpRefusal, readMessage, refusalOf } from '../mcp/refuse-message.ts';
import type { PrintBrief } from '../operations/call.ts';
import { agentCaller, callerBy, type AgentCaller } from '../operations/tables/agent-caller.ts';
import { bodyOf, callOf, identityOf, noteIntent, type HttpContext } from './request.ts';
import { BODY_LIMIT } from './routing.ts';

/**
 * MCP over HTTP, for the agent whose key or token admission accepted, and for an administrator where there are briefs.
 * Each request is answered by itself: no session, no stream of events, no subscription.
 *
 * @param tools few of them, or every operation with its full schemas
 */
export function mcpRoute(http: HttpContext, limits: Pick<RateLimits, 'countCaller'>, tools: ToolSet): RequestHandler[] {
  const read = express.raw({ limit: BODY_LIMIT, type: () => true });
  let opened: Promise<McpDoor> | undefined;
  const answer: RequestHandler = async (request, response) => {
    const authInfo = authInfoOf(askerOf(http, request, response));
    const { fetch, readMessage, refusalOf } = await (opened ??= openDoor(tools));
    const body = bodyOf(request);
    const { message: parsedBody, refusal: unread = null } = Buffer.isBuffer(body) ? readMessage(body) : {};
    await countBatch(parsedBody, limits, response);
    const isOne = parsedBody !== undefined && !Array.isArray(parsedBody);
    const refusal = unread ?? (isOne ? refusalOf(parsedBody) : null);
    if (refusal !== null) response.status(statusOf(refusal)).json(refusal);
    else await send(response, await fetch(webRequest(request, response), { authInfo, parsedBody }));
  };
  return [read, answer];
}

interface McpDoor extends Pick<McpHttpHandler, 'fetch'> {
  readonly readMessage: typeof readMessage;
  readonly refusalOf: typeof refusalOf;
}

/** Of JSON-RPC 2.0; those of the library are loaded with it. */
const METHOD_NOT_FOUND = -32601;
const INVALID_PARAMS = -32602;

/** A request that is well formed has an answer that a client of MCP reads; a method that is not known is not found. */
function statusOf({ error }: McpRefusal): number {
  if (error.code === METHOD_NOT_FOUND) return 404;
  return error.code === INVALID_PARAMS ? 200 : 400;
}

/** Loads the library at the first request: a server without requests to MCP starts without it. */
async function openDoor(tools: ToolSet): Promise<McpDoor> {
  const { createMcpHandler } = await import('@modelcontextprotocol/server');
  const { agentServer } = await import('../mcp/agent-server.ts');
  const { readMessage, refusalOf } = await import('../mcp/refuse-message.ts');
  const { briefServer } = await import('../mcp/brief-server.ts');
  const { fetch } = createMcpHandler(({ authInfo }) => {
    const asker = authInfo?.extra as unknown as Asker;
    return 'briefs' in asker ? briefServer(asker.briefs) : agentServer(asker.caller, tools);
  });
  return { fetch, readMessage, refusalOf };
}

/** Each message of a batch is a call; admission has counted the first. @throws rate_limited */
async function countBatch(sent: unknown, { countCaller }: Pick<RateLimits, 'countCaller'>, response: HttpResponse) {
  const further = Array.isArray(sent) ? sent.length - 1 : 0;
  for (let call = 0; call < further; call++) await countCaller(identityOf(response), response);
}

/** The caller: an agent, or an administrator who wants briefs. */
type Asker = { readonly caller: AgentCaller } | { readonly briefs: PrintBrief };

/** How the library hands an asker to the server that it makes for the request. */
const authInfoOf = (asker: Asker): AuthInfo => ({ token: '', clientId: '', scopes: [], extra: asker });

/** @throws instruction_scope_denied */
function askerOf(http: HttpContext, request: HttpRequest, response: HttpResponse): Asker {
  const identity = identityOf(response);
  const agent = ownAgent(identity);
  if (agent !== '') return { caller: callerOf(agent, http, request, response) };
  const { briefs, rollout } = http;
  if (briefs === null || callerUnder(identity, rollout.current().gardens).kind !== 'admin') throw denied();
  return { briefs };
}

/** The agent's own operations. */
function callerOf(agent: string, http: HttpContext, { headers }: HttpRequest, response: HttpResponse): AgentCaller {
  const { services } = http;
  const caller = agentCaller(agent, (operation, path) => callOf(operation, http, path, response), services);
  return callerBy((operation, input) => {
    if (http.logIntents) noteIntent(operation, input?.body, response);
    return caller.run(operation, { ...input, headers });
  }, caller);
}

function webRequest(request: HttpRequest, response: HttpResponse): Request {
  const { headers } = request;
  const ending = new AbortController();
  response.once('close', () => {
    ending.abort();
  });
  const entries = Object.entries({ ...headers, accept: acceptOf(headers) }).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value] satisfies [string, string]],
  );
  const body = bodyOf(request);
  return new Request('http://vade.invalid/mcp', {
    method: 'POST',
    headers: entries,
    signal: ending.signal,
    ...(Buffer.isBuffer(body) && { body }),
  });
}

/** A client that accepts anything, or names nothing, accepts both types that MCP requires (RFC 9110 §12.5.1). */
function acceptOf({ accept }: HttpRequest['headers']): string {
  const takesAll = accept === undefined || /(^|,)\s*\*\/\*\s*(,|$)/.test(accept);
  return takesAll ? 'application/json, text/event-stream' : accept;
}

async function send(response: HttpResponse, { status, headers, body }: Response): Promise<void> {
  response.statusCode = status;
  for (const [name, value] of headers) response.setHeader(name, value);
  if (body === null) response.end();
  else
    await new Promise((resolve) => {
      Readable.fromWeb(body).pipe(response).once('close', resolve);
    });
}
