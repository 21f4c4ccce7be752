import {
  isInitializeRequest,
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
} from '@modelcontextprotocol/server';
import { isJSONRPCResultResponse, ProtocolErrorCode, type JSONRPCMessage } from '@modelcontextprotocol/server';
import type { VadeError } from '../../compiler/schema/errors.ts';
import { parseJson } from '../../compiler/schema/exact-json.ts';

/** Served lists do not change while a client is connected, so none announces its changes. */
export const UNANNOUNCED = {
  tools: { listChanged: false },
  resources: { listChanged: false },
  prompts: { listChanged: false },
} as const;

/** The answer to no message, or to no served request; JSON-RPC 2.0 §5 wants an ID, null where none can be read. */
export interface McpRefusal {
  readonly jsonrpc: '2.0';
  readonly id: string | number | null;
  readonly error: { readonly code: number; readonly message: string; readonly data?: { readonly code: string } };
}

/** The value that was sent: a message, a batch, or any other value. */
interface Sent {
  readonly message?: unknown;
  readonly refusal?: McpRefusal;
}

/** Reads what a client sent; what is not JSON is answered with a parse error (JSON-RPC 2.0 §5.1). */
export function readMessage(bytes: Uint8Array): Sent {
  try {
    return { message: parseJson(bytes) };
  } catch (error) {
    const { message, details, code } = error as VadeError;
    const isJson = 'number' in details;
    const { ParseError, InvalidRequest } = ProtocolErrorCode;
    return { refusal: refusal(null, isJson ? InvalidRequest : ParseError, message, { code }) };
  }
}

/** The answer to an empty or endless batch. */
export const NO_BATCH = refusal(null, ProtocolErrorCode.InvalidRequest, 'a batch has 1 to 100 messages');

/**
 * The refusal of a value that is not a message of JSON-RPC; of a subscription, which a server without any does not know
 * (the library would call it a full server, and a client would try again); of an `initialize` with other parameters,
 * which the library would call its own fault; and of a cursor, since no list has a second page. Null for every other
 * message.
 */
export function refusalOf(value: unknown): McpRefusal | null {
  if (!isMessage(value)) return refusal(idOf(value), ProtocolErrorCode.InvalidRequest, 'not a message of JSON-RPC');
  if (!isJSONRPCRequest(value)) return null;
  const { id, method, params = {} } = value;
  if (method === 'subscriptions/listen') return refusal(id, ProtocolErrorCode.MethodNotFound, 'Method not found');
  if (method === 'initialize' && !isInitializeRequest(value)) {
    const message = 'initialize has protocolVersion, a text, capabilities, and clientInfo with name and version';
    return refusal(id, ProtocolErrorCode.InvalidParams, message);
  }
  const isPaged = LISTS.includes(method) && 'cursor' in params;
  return isPaged ? refusal(id, ProtocolErrorCode.InvalidParams, 'no list has a further page: omit cursor') : null;
}

const LISTS = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list'];

function isMessage(value: unknown): value is JSONRPCMessage {
  const kinds = [isJSONRPCRequest, isJSONRPCNotification, isJSONRPCResultResponse, isJSONRPCErrorResponse];
  return kinds.some((isOfKind) => isOfKind(value));
}

/** A number that a reader of JSON has rounded is an ID that nobody sent. */
function idOf(value: unknown): string | number | null {
  const { id } = (value ?? {}) as { id?: unknown };
  return typeof id === 'string' || (typeof id === 'number' && Number.isSafeInteger(id)) ? id : null;
}

function refusal(id: McpRefusal['id'], code: number, message: string, data?: { code: string }): McpRefusal {
  return { jsonrpc: '2.0', id, error: { code, message, ...(data && { data }) } };
}
