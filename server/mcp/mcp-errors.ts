import { ProtocolError, ProtocolErrorCode, type CallToolResult } from '@modelcontextprotocol/server';
import { VadeError } from '../../compiler/schema/errors.ts';

/** The body of our own error (DESIGN §6.12), which MCP carries as it is; an internal error reveals no details. */
function errorBody(error: VadeError) {
  const { code, details, entry } = error;
  const message = code === 'internal' ? 'unexpected error' : error.message;
  return { error: { code, message, retryable: entry.retryable, details } };
}

/**
 * A failed call of a tool: the model reads it, and can do better. As text alone: a client checks structured content
 * against the output schema, which describes success, and its model would read of that contradiction instead.
 */
export function toolFailure(thrown: unknown): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: JSON.stringify(errorBody(asVadeError(thrown))) }] };
}

/** A failed reading of a resource or prompt: the host reads it. */
export function protocolFailure(thrown: unknown): ProtocolError {
  const error = asVadeError(thrown);
  const { status = 500 } = error.entry;
  const code = status >= 500 ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams;
  const body = errorBody(error);
  return new ProtocolError(code, body.error.message, body.error);
}

function asVadeError(thrown: unknown): VadeError {
  return thrown instanceof VadeError ? thrown : new VadeError('internal', 'unexpected error');
}
