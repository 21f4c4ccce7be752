import type { Request, Response } from 'express';
import type { VadeError } from '../../compiler/schema/errors.ts';
import type { ServedDocument } from '../operations/documents.ts';
import { errorValue, type Result } from '../operations/result.ts';

/** An HTTP response before it is sent. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | null;
}

const JSON_TYPE = { 'Content-Type': 'application/json; charset=utf-8' };

function json(value: unknown, status = 200): HttpResponse {
  return { status, headers: JSON_TYPE, body: JSON.stringify(value) };
}

/** The HTTP response for the result of an operation. */
export function toAnswer(result: Result, request: Request): HttpResponse {
  switch (result.kind) {
    case 'value':
      return json(result.value, result.unready ? 503 : result.created ? 201 : 200);
    case 'json':
      return { status: 200, headers: JSON_TYPE, body: result.text };
    case 'document':
      return documentOf(request, result.document, result.type);
    case 'text':
      return { status: 200, headers: { 'Content-Type': result.type }, body: result.text };
    case 'nothing':
      return { status: 204, headers: {}, body: null };
  }
}

/** A cacheable document; 304 if the client already has it. */
function documentOf(request: Request, { body, etag, headers }: ServedDocument, type: string): HttpResponse {
  const cacheHeaders = { ...headers, ETag: etag, 'Cache-Control': 'private, no-cache' };
  const known = request.headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (known?.includes(etag) === true || known?.includes('*') === true)
    return { status: 304, headers: cacheHeaders, body: null };
  const contentType = type === 'application/octet-stream' ? type : `${type}; charset=utf-8`;
  return { status: 200, headers: { ...cacheHeaders, 'Content-Type': contentType }, body };
}

/** The HTTP response for an error. */
export function errorAnswer(error: VadeError): HttpResponse {
  const { status = 500 } = error.entry;
  const answer = json(errorValue(error), status);
  if (status !== 401) return answer;
  return { ...answer, headers: { ...answer.headers, 'WWW-Authenticate': 'Bearer' } };
}

/** Sends a response, unless one has begun or the client has disconnected. */
export function send(response: Response, { status, headers, body }: HttpResponse): void {
  if (response.headersSent || response.destroyed) return;
  for (const name in headers) response.setHeader(name, headers[name] ?? '');
  response.statusCode = status;
  if (body === null) {
    response.end();
    return;
  }
  const length = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  response.setHeader('Content-Length', length);
  // ASCII has the same bytes in both encodings, and Latin-1 is copied without being encoded
  response.end(body, length === body.length ? 'latin1' : 'utf8');
}
