import fc from 'fast-check';
import { DISCOVERY_OPERATIONS } from '../../server/http/host-operations.ts';
import { EXAMPLES } from '../../server/http/openapi.ts';
import { STORE_OPERATIONS } from '../../server/operations/tables/store-operations.ts';
import { toolName } from '../../server/operations/tables/tool-catalog.ts';
import {
  bodyOf,
  hostileRequestOf,
  legible,
  nearly,
  operations,
  query,
  segment,
  type HostileRequest,
} from './hostile.ts';
import { text, value } from './nasty.ts';

/** Operations on what agents keep, and those by which a client finds them. */
const KEPT = { ...STORE_OPERATIONS, ...DISCOVERY_OPERATIONS };

interface Example {
  readonly body?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, string>>;
}

/** The artefacts that examples name; the tests aim at real ones instead. */
export const HANDOFF_ID = EXAMPLES.readHandoff?.path?.['handoff_id'] ?? '';
export const SHARED_ID = EXAMPLES.readShared?.path?.['shared_id'] ?? '';
export const RECONCILIATION_ID = EXAMPLES.readReconciliation?.path?.['reconciliation_id'] ?? '';

const exampleOf = (id: string) => EXAMPLES[id as keyof typeof KEPT] as Example;

/** The example of an operation, with one member or many of them wrong. */
function nearlyExample(of: Readonly<Record<string, unknown>>): fc.Arbitrary<unknown> {
  const wrong = fc.oneof({ weight: 2, arbitrary: nearly(of) }, { weight: 3, arbitrary: damaged(of) });
  return fc.oneof(fc.constant(of), wrong);
}

/** Requests to the operations of a store: their examples, whole or wrong. */
export const hostileStoreRequest = hostileRequestOf(
  operations.filter(({ operationId }) => operationId in KEPT),
  (id) => {
    const { body = {} } = exampleOf(id);
    const whole = nearlyExample(body).map((it) => Buffer.from(JSON.stringify(it ?? null)));
    return fc.oneof({ weight: 8, arbitrary: whole }, { weight: 1, arbitrary: bodyOf(id) });
  },
  fc.oneof(fc.constantFrom(HANDOFF_ID, SHARED_ID, RECONCILIATION_ID, 'sched_a', 'sched_b'), segment),
  (id) => {
    const pairs = Object.entries(exampleOf(id).query ?? {});
    const some = fc.subarray(pairs).map((it) => `?${new URLSearchParams(it).toString()}`);
    return pairs.length === 0 ? query : fc.oneof(some, query);
  },
);

/** Calls of the tools on a store, by both doors of MCP, and readings of resources. */
export const hostileToolCall: fc.Arbitrary<HostileRequest> = fc
  .record({
    path: fc.constantFrom('/mcp', '/v1/mcp'),
    message: fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...Object.keys(STORE_OPERATIONS)).chain(toolCallOf) },
      {
        weight: 1,
        arbitrary: fc
          .oneof(text, fc.constantFrom('vade://tools/..', 'vade://tools/upsert_capsule', 'vade://manifest'))
          .map((uri) => ({ method: 'resources/read', params: { uri } })),
      },
      { weight: 1, arbitrary: fc.record({ method: text, params: value }) },
    ),
  })
  .map(({ path, message }) => ({
    method: 'POST',
    path,
    headers: [
      ['Content-Type', 'application/json'] as const,
      ['Accept', 'application/json, text/event-stream'] as const,
    ],
    body: Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, ...message })),
  }))
  .map(legible);

const NAMES: Readonly<Record<string, string>> = {
  handoff_id: HANDOFF_ID,
  shared_id: SHARED_ID,
  reconciliation_id: RECONCILIATION_ID,
  schedule_id: 'sched_a',
};

/** A call of the tool of an operation, by its name or by the tool for all others. */
function toolCallOf(id: string): fc.Arbitrary<object> {
  const { body, query: filters } = exampleOf(id);
  const { path } = STORE_OPERATIONS[id as keyof typeof STORE_OPERATIONS];
  const named = Object.entries(NAMES).filter(([it]) => path.includes(`{${it}}`));
  return nearlyExample({ ...Object.fromEntries(named), ...filters, ...body }).chain((given) =>
    fc.constantFrom(
      { method: 'tools/call', params: { name: toolName(id), arguments: given } },
      { method: 'tools/call', params: { name: 'continuity', arguments: { operation: toolName(id), input: given } } },
    ),
  );
}

/** A value with one of its members, at any depth, replaced or removed. */
function damaged(of: unknown): fc.Arbitrary<unknown> {
  const wrong = fc.oneof(fc.constant(undefined), value);
  if (typeof of !== 'object' || of === null) return wrong;
  const members = Object.entries(of);
  if (members.length === 0) return wrong;
  const inner = fc
    .constantFrom(...members)
    .chain(([name, it]) =>
      damaged(it).map(
        (other) => (Array.isArray(of) ? of.with(Number(name), other) : { ...of, [name]: other }) as unknown,
      ),
    );
  return fc.oneof({ weight: 1, arbitrary: wrong }, { weight: 6, arbitrary: inner });
}
