import express, { type Express } from 'express';
import type { Logger } from 'pino';
import { VadeError } from '../../compiler/schema/errors.ts';
import type { Authenticator } from '../auth/authenticate.ts';
import { rateLimits } from '../auth/rate-limits.ts';
import { repetitions } from '../log.ts';
import type { PrintBrief, Services } from '../operations/call.ts';
import type { Host, HostOperation, Operation } from '../operations/operation.ts';
import { perform } from '../operations/perform.ts';
import { readiness } from '../operations/readiness.ts';
import type { Rollout } from '../rollout/snapshot.ts';
import type { MachineHealth } from '../telemetry/gauges.ts';
import { createMetrics } from '../telemetry/metrics.ts';
import { requestContextOf } from '../telemetry/request-context.ts';
import { requestLog } from '../telemetry/request-log.ts';
import type { Tracing } from '../telemetry/tracing.ts';
import type { HttpOptions } from './http-options.ts';
import { mcpRoute } from './mcp.ts';
import { admission, answerError, frame, toVadeError } from './middleware.ts';
import { OPERATIONS } from './operations.ts';
import { requireOwnHost, requireOwnOrigin } from './own-site.ts';
import { bodyOf, callOf, noteIntent, pathOf, rawOf, type HttpContext } from './request.ts';
import { mount, mountRedirect, named, notAllowed, type Route } from './routing.ts';

export interface AppContext extends Omit<Services, 'count'> {
  readonly options: HttpOptions;
  readonly rollout: Rollout;
  readonly authenticator: Authenticator;
  readonly log: Logger;
  /** Null without tracing. */
  readonly tracing?: Tracing | null;
  readonly briefs?: PrintBrief | undefined;
  readonly machine: MachineHealth;
}

/** MCP for models, which pay for tools in tokens, and as the specification of continuity has it, with full schemas. */
const MCP_ENDPOINTS = [
  ['/mcp', 'curated'],
  ['/v1/mcp', 'full'],
] as const;

/** The HTTP application: request context, admission, operations, errors. */
export function createApp(context: AppContext): Express {
  const { rollout, authenticator, options } = context;
  const metrics = createMetrics(context);
  const app = express();
  app.disable('x-powered-by');
  // one URL per resource: paths are case-sensitive, and a trailing slash is another path
  app.enable('case sensitive routing').enable('strict routing');
  app.set('query parser', 'simple').set('trust proxy', options.trustProxy ?? false);
  const { logRequests = false, logIntents = false, metricsOpen = false } = options;
  const lines = requestLog(context.log, { requests: logRequests || logIntents });
  app.use(frame(rollout, context.tracing ?? null, [metrics.ended, lines]));
  app.use(requireOwnHost(options));
  const limits = rateLimits(options.rateLimit);
  const admit = admission({
    authenticator,
    limits,
    isStale: rollout.isStale,
    metricsOpen,
  });
  const host: Host = {
    readiness: () => readiness(rollout),
    scrape: metrics.scrape,
    openApi: async () => (await import('./openapi.ts')).openApiDocument(),
    discovery: async () => (await import('./discovery.ts')).discoveryDocuments(context.continuity !== null),
  };
  const { briefs = null } = context;
  const http = { rollout, services: { ...context, count: metrics }, host, logIntents, briefs };
  const routes = Object.entries<Operation | HostOperation>(OPERATIONS).map(([id, it]) => routeOf(id, it, http));
  mount(app, routes, admit);
  for (const [path, tools] of MCP_ENDPOINTS) {
    const route = app.route([path, `${path}/`]).all(named(path), requireOwnOrigin, admit('agents'));
    route.post(...mcpRoute(http, limits, tools)).all(notAllowed('POST'));
  }
  mountRedirect(app, admit, '/', '/ui');
  app.use('/v1', admit('agents'));
  app.use(admit('anyone'), () => {
    throw new VadeError('route_not_found', 'no such route');
  });
  app.use(answerError());
  return app;
}

/**
 * Notes a call of a known caller; a stranger's is counted alone. Of calls beyond a rate limit, the first of a minute
 * has a row: a flood would fill the audit.
 */
function noteOf(
  id: string,
  operation: Operation & Required<Pick<Operation, 'refused'>>,
  http: HttpContext,
): NonNullable<Route['onRefusal']> {
  const countRepeated = repetitions();
  return async (request, response, error) => {
    const { identity } = requestContextOf(response);
    if (identity === null) return;
    const call = callOf(operation, http, pathOf(request), response);
    const isLimited = error instanceof VadeError && error.code === 'rate_limited';
    if (isLimited && countRepeated(identity.id) === null) http.services.count.storeCall(id, error.code);
    else await operation.refused(call, rawOf(request), toVadeError(error));
  };
}

function routeOf(id: string, operation: Operation | HostOperation, http: HttpContext): Route {
  if ('answer' in operation) return { ...operation, answer: () => operation.answer(http.host) };
  const { permit, permitsFirst, isDisabled, refused } = operation;
  return {
    ...operation,
    disabled: isDisabled?.(http) ?? false,
    ...(refused && { onRefusal: noteOf(id, { ...operation, refused }, http) }),
    ...(permitsFirst && {
      before: (request, response) => {
        permit(callOf(operation, http, pathOf(request), response));
      },
    }),
    answer: (request, response) => {
      if (http.logIntents) noteIntent(operation, bodyOf(request), response);
      return perform(operation, callOf(operation, http, pathOf(request), response), rawOf(request));
    },
  };
}
