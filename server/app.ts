import express, { type Express, type Request } from 'express';
import type { Logger } from 'pino';
import { Closing } from '../compiler/model/audit.ts';
import { AuditPageQuery } from '../compiler/model/auditpage.ts';
import { VadeError } from '../compiler/model/errors.ts';
import { MetricsQuery } from '../compiler/model/metricsquery.ts';
import { parseUri } from '../compiler/model/uri.ts';
import { admission, answerError, frame } from './admission.ts';
import { agentMetrics } from './agentmetrics.ts';
import { documentOf, json, NOTHING, text, written } from './answers.ts';
import type { Rollout } from './edition.ts';
import { exchangeOf } from './exchange.ts';
import { readAttested } from './facts.ts';
import { givenUp } from './givenup.ts';
import { heartbeat } from './heartbeat.ts';
import type { Authenticator } from './identity.ts';
import { openMetrics, type Metrics } from './metrics.ts';
import { OPERATIONS, type OperationId } from './operations.ts';
import { mayPublish, publishManifest, type Publish } from './publish.ts';
import { rateLimits } from './ratelimits.ts';
import { closeRecall, recallInstruction } from './recalling.ts';
import { readiness } from './readiness.ts';
import { reportRoutes, type ReportContext, type ReportOperation } from './reportroutes.ts';
import { askedOf, bodyOf, heartbeatOf, idOf, identityOf, parseQuery } from './request.ts';
import { requestLog } from './requestlog.ts';
import { mount, type Route } from './routing.ts';
import * as service from './service.ts';
import type { SurfaceOptions } from './surface.ts';
import { traced, type Tracing } from './tracing.ts';

export interface AppContext extends ReportContext, SurfaceOptions {
  readonly rollout: Rollout;
  readonly authenticator: Authenticator;
  /** Whether nothing is served any more because the bundle is not fresh. */
  readonly isStale: () => boolean;
  readonly log: Logger;
  /** Null where publishing is merging, and nothing else. */
  readonly publish: Publish | null;
  /** Null where no traces are kept. */
  readonly tracing?: Tracing | null;
}

/** One request from its beginning to its end: framed, let in, answered. */
export function createApp(context: AppContext): Express {
  const metrics = openMetrics(context);
  const app = express();
  app.disable('x-powered-by');
  // one address for one thing: neither another case nor another slash
  app.enable('case sensitive routing').enable('strict routing');
  app.set('query parser', 'simple').set('trust proxy', context.trustProxy ?? false);
  const { isStale, authenticator, logRequests = false, logIntents = false, metricsOpen = false } = context;
  const lines = requestLog(context.log, { requests: logRequests || logIntents });
  app.use(frame(context.rollout, context.tracing ?? null, [metrics.ended, lines]));
  const admit = admission({ authenticator, limits: rateLimits(context.rateLimit), isStale, metricsOpen });
  mount(app, routesOf(context, metrics), admit);
  app.use('/v1', admit('agents'));
  app.use(admit('anyone'), () => {
    throw new VadeError('route_not_found', 'there is no such route');
  });
  app.use(answerError());
  return app;
}

/** All routes on one page; what is promised of them stands in operations.ts, what they do in service.ts. */
function routesOf(context: AppContext, metrics: Metrics): Route[] {
  const does = {
    ...{ ...documentRoutes(context), ...agentRoutes(context, metrics), ...operatorRoutes(context, metrics) },
    ...reportRoutes(context),
  };
  return (Object.keys(OPERATIONS) as OperationId[]).map((id) => ({ ...OPERATIONS[id], ...does[id] }));
}

type Does<Id extends OperationId> = Record<Id, Pick<Route, 'handle' | 'before' | 'disabled'>>;
type Documents = 'getBootStub' | 'getManifest' | 'publishManifest' | 'getCoverage' | 'getFact';
type Asking = 'recallInstruction' | 'heartbeat' | 'closeRecall';

/** What was compiled: stubs, manifests, coverage, facts. */
function documentRoutes({ rollout, publish, earlier }: AppContext): Does<Documents> {
  return {
    getBootStub: {
      handle: (request, response) => {
        const { profile } = request.query;
        const asked = askedOf(rollout, request, response);
        const stub = service.bootStub(asked, typeof profile === 'string' ? profile : 'generic');
        return documentOf(request, stub, 'text/markdown');
      },
    },
    getManifest: {
      handle: (request, response) =>
        documentOf(request, service.manifest(askedOf(rollout, request, response)), 'application/json'),
    },
    publishManifest: {
      disabled: publish === null,
      // §21.8.3: asked who is asking before the body is read, which is passed on as it came
      before: (request, response) => {
        if (publish === null) response.setHeader('Allow', 'GET, HEAD');
        mayPublish(askedOf(rollout, request, response), publish);
      },
      handle: async (request, response) =>
        json(await publishManifest(askedOf(rollout, request, response), publish, bodyOf(request))),
    },
    getCoverage: { handle: (request, response) => json(service.coverage(askedOf(rollout, request, response))) },
    getFact: {
      handle: (request, response) => {
        const uri = idOf(request);
        const { holder } = identityOf(response);
        // from the edition that answers the fact's own agent, where the caller may read it; a shared one from its own
        const agent = parseUri(uri)?.agent ?? (holder.kind === 'agent' ? holder.agent : '');
        return json(readAttested(askedOf(rollout, request, response, agent), uri, earlier));
      },
    },
  };
}

/** What agents ask, and what is remembered of it. */
function agentRoutes(context: AppContext, metrics: Metrics): Does<Asking> {
  const { rollout, logIntents = false } = context;
  return {
    recallInstruction: {
      handle: async (request, response) => {
        const options = { explain: request.query['explain'] === 'true', heartbeat: heartbeatOf(request) };
        const exchange = exchangeOf(response);
        if (logIntents) exchange.intent = intentOf(request);
        const on = [context, askedOf(rollout, request, response)] as const;
        const answer = await traced(exchange.span, 'recall', on, (within, asked) =>
          recallInstruction(within, asked, bodyOf(request), options),
        );
        metrics.answered('recall', answer.response);
        return written(answer.json);
      },
    },
    heartbeat: {
      handle: async (request, response) => {
        const on = [context, askedOf(rollout, request, response)] as const;
        const input = { body: bodyOf(request), query: request.query };
        const answer = await traced(exchangeOf(response).span, 'heartbeat', on, (within, asked) =>
          heartbeat(within, asked, input, metrics.aborted),
        );
        metrics.answered('heartbeat', answer);
        return json(answer);
      },
    },
    closeRecall: {
      handle: async (request, response) => {
        const { holder } = identityOf(response);
        const on = [context, askedOf(rollout, request, response, holder.kind === 'agent' ? holder.agent : '')] as const;
        await traced(exchangeOf(response).span, 'closing', on, (within, asked) =>
          closeRecall(within, asked, bodyOf(request)),
        );
        metrics.closed(Closing.parse(bodyOf(request)));
        return NOTHING;
      },
    },
  };
}

/** What operators and their machines ask. */
function operatorRoutes(
  context: AppContext,
  metrics: Metrics,
): Does<Exclude<OperationId, Documents | Asking | ReportOperation>> {
  const { rollout, isStale } = context;
  return {
    getAudit: {
      handle: async (request, response) => {
        const page = parseQuery(AuditPageQuery, request.query);
        return json(await service.auditEntries(context, askedOf(rollout, request, response), page));
      },
    },
    getAgentMetrics: {
      handle: async (request, response) => {
        const query = parseQuery(MetricsQuery, request.query);
        return json(await agentMetrics(context, askedOf(rollout, request, response), query, givenUp(response)));
      },
    },
    getHealth: { handle: () => json({ status: 'ok' }) },
    getReadiness: {
      handle: () => {
        const told = readiness(rollout, isStale());
        return json(told, told.status === 'ready' ? 200 : 503);
      },
    },
    getMetrics: {
      handle: async () => {
        const scraped = await metrics.scrape();
        return text(scraped.text, scraped.type);
      },
    },
    getOpenApi: {
      handle: async (request) => {
        const { openApiDocument } = await import('./openapi.ts');
        return documentOf(request, openApiDocument(), 'application/json');
      },
    },
  };
}

function intentOf(request: Request): string | null {
  const intent = (bodyOf(request) as { intent?: unknown } | null | undefined)?.intent;
  return typeof intent === 'string' ? intent : null;
}
