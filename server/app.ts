import express, {
  type ErrorRequestHandler,
  type Express,
  type NextFunction,
  type Request,
  type RequestHandler,
  type Response,
  type Router,
} from 'express';
import type { Logger } from 'pino';
import { z } from 'zod';
import { VadeError } from '../compiler/model/errors.ts';
import { parseUri } from '../compiler/model/uri.ts';
import { closeRecall, recallInstruction } from './recalling.ts';
import type { Rollout } from './edition.ts';
import { readAttested } from './facts.ts';
import type { Authenticator } from './identity.ts';
import { mayPublish, publishManifest, type Publish } from './publish.ts';
import { readiness } from './readiness.ts';
import { askedOf, heartbeatOf, idOf, identityOf, parseQuery } from './request.ts';
import * as service from './service.ts';

/** §21.8: a body larger than this is refused before it is parsed. */
const BODY_LIMIT = '64kb';

const AuditPage = z.strictObject({
  limit: z.coerce.number().int().min(1).max(200).default(20),
  before: z.coerce.number().int().min(0).default(Number.MAX_SAFE_INTEGER),
});

export interface AppContext extends service.ServiceContext {
  readonly rollout: Rollout;
  readonly authenticator: Authenticator;
  /** Whether nothing is served any more because the bundle is not fresh. */
  readonly isStale: () => boolean;
  readonly log: Logger;
  /** Null where publishing is merging, and nothing else. */
  readonly publish: Publish | null;
}

/** All routes on one page; what they do stands in service.ts. */
export function createApp(context: AppContext): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', 'simple');
  app.use((_request, response, next) => {
    response.setHeader('X-Bundle-Revision', context.rollout.current().gardens.bundle.revision);
    next();
  });
  route(app, '/healthz', { get: (_request, response) => response.json({ status: 'ok' }) });
  route(app, '/readyz', {
    get: (_request, response) => {
      const stale = context.isStale();
      response.status(stale ? 503 : 200).json(readiness(context.rollout.current(), stale));
    },
  });
  const v1 = express.Router();
  v1.use((_request, _response, next) => {
    if (context.isStale()) throw new VadeError('recall_backend_unavailable', 'the bundle is no longer fresh');
    next();
  });
  v1.use(authenticate(context.authenticator));
  documentRoutes(v1, context);
  recallRoutes(v1, context);
  app.use('/v1', v1);
  app.use(() => {
    throw new VadeError('route_not_found', 'there is no such route');
  });
  app.use(answerError(context.log));
  return app;
}

/** What was compiled: stubs, manifests, coverage, facts. */
function documentRoutes(v1: Router, { rollout, publish }: AppContext): void {
  route(v1, '/agents/:id/boot-stub', {
    get: (request, response) => {
      const profile = typeof request.query['profile'] === 'string' ? request.query['profile'] : 'generic';
      const document = service.bootStub(askedOf(rollout, request, response), profile);
      sendDocument(request, response.type('text/markdown'), document);
    },
  });
  route(
    v1,
    '/agents/:id/instruction-manifest',
    {
      get: (request, response) => {
        sendDocument(request, response.type('json'), service.manifest(askedOf(rollout, request, response)));
      },
      put: publishing(rollout, publish),
    },
    publish === null ? 'put' : undefined,
  );
  route(v1, '/agents/:id/instruction-manifest/coverage', {
    get: (request, response) => service.coverage(askedOf(rollout, request, response)),
  });
  route(v1, '/facts/:id', {
    get: (request, response) => {
      const uri = idOf(request);
      const { holder } = identityOf(response);
      // an agent reads a fact from the edition that answers it, an administrator from that of the fact's own agent
      const agent = holder.kind === 'agent' ? holder.agent : (parseUri(uri)?.agent ?? '');
      response.json(readAttested(askedOf(rollout, request, response, agent), uri));
    },
  });
}

/** §21.8.3: asked who is asking before the body is read, which is passed on as it came. */
function publishing(rollout: Rollout, publish: Publish | null): Handler[] {
  return [
    (request, response, next) => {
      if (publish === null) response.setHeader('Allow', 'GET, HEAD');
      mayPublish(askedOf(rollout, request, response), publish);
      next();
    },
    express.raw({ limit: BODY_LIMIT, type: 'application/json' }),
    async (request, response) => {
      const { body } = request as { body: unknown };
      response.json(await publishManifest(askedOf(rollout, request, response), publish, body));
    },
  ];
}

/** What agents ask, and what is remembered of it. */
function recallRoutes(v1: Router, context: AppContext): void {
  const { rollout } = context;
  const json = express.json({ limit: BODY_LIMIT });
  const bodied = (handler: Handler): Handler[] => [json, handler];
  route(v1, '/agents/:id/recall-instruction', {
    post: bodied(async (request, response) => {
      const options = { explain: request.query['explain'] === 'true', heartbeat: heartbeatOf(request) };
      const { body } = request as { body: unknown };
      response.json(await recallInstruction(context, askedOf(rollout, request, response), body, options));
    }),
  });
  route(v1, '/instruction/audit', {
    post: bodied(async (request, response) => {
      const { holder } = identityOf(response);
      const own = holder.kind === 'agent' ? holder.agent : '';
      await closeRecall(context, askedOf(rollout, request, response, own), request.body);
      response.status(204).end();
    }),
  });
  route(v1, '/agents/:id/audit', {
    get: async (request, response) => {
      const page = parseQuery(AuditPage, request.query);
      response.json(await service.auditEntries(context, askedOf(rollout, request, response), page));
    },
  });
}

type Handler = (request: Request, response: Response, next: NextFunction) => unknown;

/** One path with its methods; every other method is answered by 405 with `Allow`. */
function route(router: Router, path: string, methods: Methods, disabled?: Method): void {
  const at = router.route(path);
  const offered = Object.keys(methods) as Method[];
  for (const method of offered) at[method](...[methods[method] ?? []].flat());
  const allowed = offered.filter((it) => it !== disabled).map((it) => (it === 'get' ? 'GET, HEAD' : it.toUpperCase()));
  at.all((request, response) => {
    response.setHeader('Allow', allowed.join(', '));
    throw new VadeError('method_not_allowed', `${request.method} is not allowed here`);
  });
}

type Method = 'get' | 'post' | 'put';
type Methods = Partial<Record<Method, Handler | Handler[]>>;

function authenticate(authenticator: Authenticator): RequestHandler {
  return async (request, response, next) => {
    response.locals['identity'] = await authenticator.identify(request.headers.authorization);
    next();
  };
}

/** A stub or a manifest; a caller that has it already is told so. */
function sendDocument(request: Request, response: Response, document: service.ServedDocument): void {
  response.setHeader('ETag', document.etag);
  response.setHeader('Cache-Control', 'private, no-cache');
  for (const [name, value] of Object.entries(document.headers)) response.setHeader(name, value);
  const known = request
    .get('if-none-match')
    ?.split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''));
  if (known?.includes(document.etag) === true || known?.includes('*') === true) response.status(304).end();
  else response.send(document.body);
}

/** Every failure in the one shape (DESIGN §6.12); what is ours to mend is logged, and not told. */
function answerError(log: Logger): ErrorRequestHandler {
  // express knows an error handler by its four parameters
  return (thrown: unknown, request, response, _next) => {
    const error = toVadeError(thrown);
    const { status = 500, retryable } = error.entry;
    if (status >= 500) log.error({ err: thrown, method: request.method, code: error.code }, 'request failed');
    if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
    const message = error.code === 'internal' ? 'something unexpected went wrong' : error.message;
    response.status(status).json({ error: { code: error.code, message, retryable, details: error.details } });
  };
}

function toVadeError(thrown: unknown): VadeError {
  if (thrown instanceof VadeError && thrown.entry.status !== undefined) return thrown;
  const status = (thrown as { status?: unknown } | null)?.status;
  if (status === 413) return new VadeError('payload_too_large', `a body is at most ${BODY_LIMIT}`);
  if (typeof status === 'number' && status >= 400 && status < 500) {
    return new VadeError('request_invalid', 'the request cannot be read: malformed JSON, encoding or path');
  }
  return new VadeError('internal', 'something unexpected went wrong');
}
