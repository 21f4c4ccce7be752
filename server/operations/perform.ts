import type { z } from 'zod';
import { VadeError } from '../../compiler/schema/errors.ts';
import { limitWording, toldIssues, valueAt } from '../../compiler/schema/issue-wording.ts';
import { keysAt, suggestedKey } from '../../compiler/schema/known-keys.ts';
import { requirePermit, type Need } from '../auth/permits.ts';
import type { Call } from './call.ts';
import { OPERATION_LIMIT_MS, type Input, type Operation, type SentInput } from './operation.ts';
import type { Result } from './result.ts';

/** The need of an operation that states none. */
const INSTRUCTIONS: Need = { scope: 'instructions' };

/** The raw input of a call; untrusted. */
export interface RawInput extends SentInput {
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, unknown>>;
}

/**
 * Performs an operation, over any transport: authorises the call, parses its input, and limits its time. The operation
 * itself counts its answers.
 *
 * @throws instruction_scope_denied, request_invalid, intent_required, recall_backend_unavailable, and its own errors
 */
export function perform(operation: Operation, call: Call, raw: RawInput): Result | Promise<Result> {
  const { limit = OPERATION_LIMIT_MS, trace } = operation;
  let input: Input;
  try {
    input = admitted(operation, call, raw);
  } catch (error) {
    if (operation.refused === undefined) throw error;
    return operation.refused(call, raw, error).then(() => Promise.reject(error as Error));
  }
  const { span } = call;
  const work =
    span === null || trace === undefined
      ? operation.run(call, input)
      : span.within(trace, async (inner) => operation.run(tracedCall(call, inner), input));
  return work instanceof Promise && limit !== null ? within(work, limit, call.cancel) : work;
}

/** The input of a call that may be made. @throws instruction_scope_denied, request_invalid, intent_required */
function admitted(operation: Operation, call: Call, raw: RawInput): Input {
  requirePermit(call.identity, operation.needs ?? INSTRUCTIONS);
  operation.permit(call);
  return parseInput(operation, raw);
}

function parseInput({ query, headers, body, reads, bodyMayBeAbsent, requires }: Operation, raw: RawInput): Input {
  requires?.(raw.body);
  const sent = bodyMayBeAbsent ? (raw.body ?? {}) : raw.body;
  return {
    path: raw.path,
    query: query && checkNamed(query, raw.query),
    headers: headers && checkNamed(headers, pickHeaders(headers, raw.headers)),
    body: body && reads !== 'raw' ? checkBody(body, sent) : undefined,
    raw: raw.body,
  };
}

/** The headers of a schema that were sent. */
function pickHeaders({ shape }: z.ZodObject, sent: RawInput['headers']): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  for (const name in shape) {
    const value = sent[name.toLowerCase()];
    if (value !== undefined) picked[name] = value;
  }
  return picked;
}

/** The result of each schema for absent input: most requests have no query and none of the headers. */
const ofNothing = new WeakMap<z.ZodType, unknown>();

/** @throws request_invalid */
function checkNamed(schema: z.ZodType, sent: unknown): unknown {
  if (!isEmpty(sent)) return check(schema, sent);
  const known = ofNothing.get(schema) ?? Object.freeze(check(schema, {}));
  ofNothing.set(schema, known);
  return known;
}

function isEmpty(sent: unknown): boolean {
  if (typeof sent !== 'object' || sent === null) return false;
  for (const name in sent) if (Object.hasOwn(sent, name)) return false;
  return true;
}

function checkBody(schema: z.ZodType, body: unknown): unknown {
  if (typeof body !== 'object' || body === null) {
    throw new VadeError('request_invalid', 'send a JSON object as application/json');
  }
  return check(schema, body);
}

/** Every problem is reported at once. @throws request_invalid */
function check(schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const faults = toldIssues(parsed.error.issues).map((it) => ({
    path: it.path.join('.'),
    message: unknownKeys(schema, it) ?? limitWording(it, valueAt(value, it.path))?.message ?? it.message,
  }));
  const said = faults.map((it) => (it.path === '' ? it.message : `${it.path}: ${it.message}`));
  throw new VadeError('request_invalid', said.join('; '), { faults });
}

/** Maximum number of unknown keys that are named one by one. */
const MOST_KEYS = 10;

/** The keys that a schema does not know, each with the one that may be meant. */
function unknownKeys(schema: z.ZodType, issue: z.core.$ZodIssue): string | null {
  if (issue.code !== 'unrecognized_keys') return null;
  const known = keysAt(schema, issue.path);
  const told = issue.keys.slice(0, MOST_KEYS).map((key) => {
    const help = suggestedKey(key, known) ?? `known keys: ${known.join(', ')}`;
    return `unknown key “${key.slice(0, 64)}”; ${help}`;
  });
  const more = issue.keys.length - told.length;
  return [...told, ...(more > 0 ? [`${more} more unknown keys`] : [])].join('; ');
}

/** A call that traces its encoding and its audit writes as child spans. */
function tracedCall(call: Call, span: NonNullable<Call['span']>): Call {
  const { audit } = call.services;
  const { queries } = call.snapshot;
  const append: typeof audit.append = (record) => span.within('audit.append', () => audit.append(record));
  const close: typeof audit.close = (closing) => span.within('audit.close', () => audit.close(closing));
  const encode: typeof queries = (intent, index) => span.within('encode', async () => queries(intent, index));
  return {
    ...call,
    span,
    snapshot: { ...call.snapshot, queries: encode },
    services: { ...call.services, audit: { ...audit, append, close } },
  };
}

/**
 * Rejects after a timeout, early enough for the caller to retry, and stops the work.
 *
 * @throws recall_backend_unavailable
 */
function within<T>(work: Promise<T>, milliseconds: number, stop: () => void): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      stop();
      reject(new VadeError('recall_backend_unavailable', 'the operation timed out'));
    }, milliseconds);
    work.then(resolve, reject).finally(() => {
      clearTimeout(timer);
    });
  });
}
