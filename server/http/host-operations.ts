import { z } from 'zod';
import { readPageFiles } from '../../compiler/io/files/page-files.ts';
import { toShell } from '../../compiler/present/page-html.ts';
import { EndpointMap, ToolCatalog } from '../../compiler/schema/api/discovery.ts';
import { Readiness } from '../../compiler/schema/api/readiness.ts';
import { servedDocument } from '../operations/documents.ts';
import { memoized } from '../operations/memoized.ts';
import { jsonSuccess, type HostOperation, type Success } from '../operations/operation.ts';
import { document, value, type MediaType } from '../operations/result.ts';
import { PAGE_POLICY } from './security-headers.ts';

/** The page's files, read once, at the first request for it. */
const page = memoized(() => {
  const { script, style } = readPageFiles();
  const served = (body: string) => servedDocument(Buffer.from(body), { 'Content-Security-Policy': PAGE_POLICY });
  return { shell: served(toShell()), script: served(script), style: served(style) };
});

/** Members of every operation on the host. */
const GET = { method: 'get', effect: 'read', errors: [] } as const satisfies Partial<HostOperation>;

/** Operations on the host, for operators and their tools. */
export const HOST_OPERATIONS = {
  getHealth: {
    ...GET,
    path: '/healthz',
    summary: 'Whether the process is alive',
    access: 'probe',
    success: jsonSuccess('The process is alive', z.strictObject({ status: z.literal('ok') })),
    answer: () => value({ status: 'ok' }),
  },
  getReadiness: {
    ...GET,
    path: '/readyz',
    summary: 'Whether the server is ready for requests',
    access: 'probe',
    success: jsonSuccess('Ready', Readiness),
    unready: { status: 503, description: 'Not ready', schema: Readiness },
    answer: (host) => {
      const readiness = host.readiness();
      return { kind: 'value', value: readiness, unready: readiness.status !== 'ready' };
    },
  },
  getMetrics: {
    ...GET,
    path: '/metrics',
    summary: 'Metrics in the text format of Prometheus',
    access: 'scraper',
    success: { status: 200, description: 'The metrics; they name no agent', type: 'text/plain' },
    answer: async (host) => ({ kind: 'text', ...(await host.scrape()) }),
  },
  getOpenApi: {
    ...GET,
    path: '/openapi.json',
    summary: 'This document',
    access: 'anyone',
    success: { ...jsonSuccess('OpenAPI 3.1', z.looseObject({ openapi: z.literal('3.1.1') })), cached: true },
    answer: async (host) => document(await host.openApi(), 'application/json'),
  },
} as const satisfies Record<string, HostOperation>;

/** Operations by which a client discovers the server without a key, as the specification of continuity names them. */
export const DISCOVERY_OPERATIONS = {
  getTools: {
    ...GET,
    path: '/v1/discovery/tools',
    summary: 'Every operation with the JSON Schemas of its input and its answer',
    access: 'anyone',
    success: { ...jsonSuccess('The same schemas as tools/list of POST /v1/mcp', ToolCatalog), cached: true },
    answer: async (host) => document((await host.discovery()).tools, 'application/json'),
  },
  getEndpoints: {
    ...GET,
    path: '/v1/manifest',
    summary: 'Every operation with its method and its path',
    access: 'anyone',
    success: { ...jsonSuccess('The map of the server; no agent is in it', EndpointMap), cached: true },
    answer: async (host) => document((await host.discovery()).endpoints, 'application/json'),
  },
} as const satisfies Record<string, HostOperation>;

const file = (description: string, type: MediaType): Success => ({ status: 200, description, type, cached: true });

/** The administrators' page: its files are public, its data only for administrators. */
export const PAGE_OPERATIONS = {
  getPage: {
    ...GET,
    path: '/ui',
    summary: 'The administrators’ page; it asks for a key',
    access: 'anyone',
    success: file('HTML without any data', 'text/html'),
    answer: () => document(page().shell, 'text/html'),
  },
  getPageScript: {
    ...GET,
    path: '/ui/app.js',
    summary: 'The page’s script',
    access: 'anyone',
    success: file('The same for every deployment', 'text/javascript'),
    answer: () => document(page().script, 'text/javascript'),
  },
  getPageStyle: {
    ...GET,
    path: '/ui/app.css',
    summary: 'The page’s style sheet',
    access: 'anyone',
    success: file('The same for every deployment', 'text/css'),
    answer: () => document(page().style, 'text/css'),
  },
} as const satisfies Record<string, HostOperation>;
