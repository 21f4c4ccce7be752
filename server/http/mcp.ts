import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import express, { type Request as HttpRequest, type RequestHandler, type Response as HttpResponse } from 'express';
import type { AuthInfo, McpHttpHandler } from '@modelcontextprotocol/server';
import { denied, ownAgent } from '../auth/authorize.ts';
import { agentCaller, OWN_OPERATIONS, type AgentCaller } from '../operations/own-operations.ts';
import type { HttpContext } from './http-context.ts';
import { noteIntent } from './noted-intent.ts';
import { bodyOf, callOf, identityOf } from './request.ts';
import { BODY_LIMIT } from './routing.ts';

/**
 * MCP over HTTP, for the agent whose key or token admission accepted. Each request is answered by itself: no session, no
 * stream of events, no subscription.
 */
export function mcpRoute(http: HttpContext): RequestHandler[] {
  const read = express.raw({ limit: BODY_LIMIT, type: () => true });
  let handler: Promise<McpHttpHandler> | undefined;
  const answer: RequestHandler = async (request, response) => {
    const caller = callerOf(http, request, response);
    const { fetch } = await (handler ??= openHandler());
    await send(response, await fetch(webRequest(request, response), { authInfo: authInfoOf(caller) }));
  };
  return [read, answer];
}

/** The library is loaded at the first request: a server of which nobody asks MCP starts without it. */
async function openHandler(): Promise<McpHttpHandler> {
  const { createMcpHandler } = await import('@modelcontextprotocol/server');
  const { agentServer } = await import('../mcp/agent-server.ts');
  return createMcpHandler(({ authInfo }) => agentServer(authInfo?.extra?.['caller'] as AgentCaller), {
    maxSubscriptions: 0,
  });
}

/** How the library hands a caller to the server that it makes for the request. */
const authInfoOf = (caller: AgentCaller): AuthInfo => ({ token: '', clientId: '', scopes: [], extra: { caller } });

/** The agent's own operations; only an agent has any. @throws instruction_scope_denied */
function callerOf(http: HttpContext, { headers }: HttpRequest, response: HttpResponse): AgentCaller {
  const agent = ownAgent(identityOf(response));
  if (agent === '') throw denied();
  const caller = agentCaller(agent, (operation, path) => callOf(operation, http, path, response));
  return {
    perform: (id, input) => {
      if (http.logIntents) noteIntent(OWN_OPERATIONS[id], input?.body, response);
      return caller.perform(id, { ...input, headers });
    },
  };
}

function webRequest(request: HttpRequest, response: HttpResponse): Request {
  const { method, headers } = request;
  const ending = new AbortController();
  response.once('close', () => {
    ending.abort();
  });
  const entries = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value] satisfies [string, string]],
  );
  const body = bodyOf(request);
  return new Request('http://vade.invalid/mcp', {
    method,
    headers: entries,
    signal: ending.signal,
    ...(Buffer.isBuffer(body) && method === 'POST' && { body }),
  });
}

async function send(response: HttpResponse, { status, headers, body }: Response): Promise<void> {
  response.statusCode = status;
  for (const [name, value] of headers) response.setHeader(name, value);
  if (body === null) response.end();
  else
    await new Promise((resolve) => {
      Readable.fromWeb(body as ReadableStream)
        .pipe(response)
        .once('close', resolve);
    });
}
