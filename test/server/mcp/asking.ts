import { request } from 'node:http';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { expect } from 'vitest';
import type { ErrorCode } from '../../../compiler/schema/errors.ts';
import type { Running, Who } from '../running.ts';

/** The answer of `/mcp`, whatever sent it. */
export interface McpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** The messages of the body, which is JSON or a stream of events. */
  readonly messages: () => readonly Message[];
  /** The code of our own error body; undefined for an answer of JSON-RPC. */
  readonly code: string | undefined;
}

export interface Message {
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export interface McpRequest {
  readonly method?: string;
  /** Null for a header that is left out. */
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly path?: string;
}

const ACCEPTED = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

/** Sends bytes to `/mcp` as they are: not every client is the official one, and fetch hides `Host`. */
export function postMcp(
  { url, keys }: Running,
  who: Who | null,
  body: string | Buffer,
  { method = 'POST', headers = {}, path = '/mcp' }: McpRequest = {},
): Promise<McpAnswer> {
  const key = who === null ? {} : { authorization: `Bearer ${keys[who]}` };
  const length = { 'content-length': String(Buffer.byteLength(body)) };
  return new Promise((resolve, reject) => {
    const all: Record<string, string | null> = { ...ACCEPTED, ...key, ...length, ...headers };
    const sentHeaders = Object.fromEntries(
      Object.entries(all).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
    );
    const sent = request(`${url}${path}`, { method, headers: sentHeaders }, (got) => {
      let text = '';
      got.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      got.once('end', () => {
        resolve(answerOf(got.statusCode ?? 0, got.headers, text));
      });
    });
    sent.once('error', reject).end(body);
  });
}

function answerOf(status: number, headers: McpAnswer['headers'], text: string): McpAnswer {
  const bodies = text.startsWith('event:') ? text.split('\n').filter((it) => it.startsWith('data:')) : [text];
  const messages = () => bodies.flatMap((it) => JSON.parse(it.replace(/^data: ?/, '')) as Message | Message[]);
  const code = /^\{"error":\{"code":"(\w+)"/.exec(text)?.[1];
  return { status, headers, text, messages, code };
}

/** The text of a tool's answer. */
export function textIn(result: unknown): string {
  const [first] = (result as CallToolResult).content;
  return first?.type === 'text' ? first.text : '';
}

/** The names of the pages of an answer, as their headings have them. */
export function pagesIn(text: string): string[] {
  return [...text.matchAll(/^## (\S+) v\d+/gm)].map(([, name = '']) => name);
}

/** The token that an answer over HTTP ends with. */
export function tokenIn(text: string): string {
  return /\naudit_token: (\S+)$/.exec(text)?.[1] ?? '';
}

/** The result of a call that failed with our code, as a model reads it: text alone, brief or with its details. */
export function failedWith(code: ErrorCode): object {
  const text: unknown = expect.stringMatching(new RegExp(`^(\\{"error":\\{"code":"${code}"|${code}: )`));
  return { isError: true, content: [{ type: 'text', text }] };
}

/** The body of our own error in a failed call; null if the call did not fail. */
export function errorIn({ isError, content }: Pick<CallToolResult, 'isError' | 'content'>): unknown {
  const [first] = content;
  if (!isError || first?.type !== 'text') return null;
  return (JSON.parse(first.text) as { error: unknown }).error;
}

/** A request of JSON-RPC. */
export function rpc(method: string, params?: object, id: number | string = 1): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, ...(params && { params }) });
}

/** A call of a tool. */
export function toolCall(name: string, given: unknown, more: object = {}): string {
  return rpc('tools/call', { name, arguments: given, ...more });
}

/** Revisions before the last, in which a client negotiates first; the last one tells its own in every request. */
export const INITIALIZED = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const;

const LATEST = '2026-07-28';

/** Fields that a request of the last revision carries. */
export const LATEST_META = {
  'io.modelcontextprotocol/protocolVersion': LATEST,
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** The handshake of a revision. */
export function initialize(protocolVersion: string): string {
  return rpc('initialize', { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } });
}

/** The headers of a request of the last revision. */
export function latestHeaders(method: string, name?: string): Record<string, string> {
  return { 'mcp-protocol-version': LATEST, 'mcp-method': method, ...(name !== undefined && { 'mcp-name': name }) };
}
