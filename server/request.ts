import type { Request, Response } from 'express';
import type { z } from 'zod';
import { VadeError } from '../compiler/model/errors.ts';
import { limitWording, valueAt } from '../compiler/model/issues.ts';
import { editionOf } from './access.ts';
import type { Rollout } from './edition.ts';
import type { Asked, Identity } from './identity.ts';

/** A body checked against its schema; every fault is told at once. @throws request_invalid */
export function parseBody<T>(schema: z.ZodType<T>, body: unknown): T {
  if (typeof body !== 'object' || body === null) {
    throw new VadeError('request_invalid', 'send a JSON object as application/json');
  }
  return check(schema, body);
}

/** Query parameters checked against their schema. @throws request_invalid */
export function parseQuery<T>(schema: z.ZodType<T>, query: unknown): T {
  return check(schema, query);
}

function check<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((it) => ({
    path: it.path.join('.'),
    message: limitWording(it, valueAt(value, it.path))?.message ?? it.message,
  }));
  const said = faults.map((it) => (it.path === '' ? it.message : `${it.path}: ${it.message}`));
  throw new VadeError('request_invalid', said.join('; '), { faults });
}

/** The id that a path names; empty where it names none. */
export function idOf(request: Request): string {
  const { agent_id, fact_uri } = request.params;
  const id = agent_id ?? fact_uri;
  return typeof id === 'string' ? id : '';
}

/** The body, as it was parsed or as it came; untrusted either way. */
export function bodyOf(request: Request): unknown {
  return (request as { body?: unknown }).body;
}

/** Who is asking, as authentication found. */
export function identityOf(response: Response): Identity {
  return response.locals['identity'] as Identity;
}

/** Who asks, for which agent, and from what it is answered: chosen once, for the whole of the request. */
export function askedOf(rollout: Rollout, request: Request, response: Response, agent = idOf(request)): Asked {
  const identity = identityOf(response);
  const edition = editionOf(rollout, identity, agent);
  response.setHeader('X-Bundle-Revision', edition.gardens.bundle.revision);
  return { identity, agent, edition };
}

const HEARTBEAT = /^[A-Za-z0-9._:-]{1,128}$/;

/** `X-Heartbeat-Id`, as the caller claims it. */
export function heartbeatOf(request: Request): string | undefined {
  const claimed = request.get('x-heartbeat-id');
  return claimed !== undefined && HEARTBEAT.test(claimed) ? claimed : undefined;
}
