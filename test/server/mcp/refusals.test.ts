import { beforeAll, describe, expect, test } from 'vitest';
import { UNEXPECTED, type ErrorCode } from '../../../compiler/schema/errors.ts';
import { compiledPeers } from '../deployment.ts';
import { running, statusAndCode, type Running, type Who } from '../running.ts';
import { failedWith, postMcp, rpc, textIn, toolCall, type McpRequest } from './asking.ts';

let server: Running;
let limited: Running;

beforeAll(async () => {
  const peers = await compiledPeers();
  server = await running(peers);
  limited = await running({ ...peers, http: { rateLimit: 5 } });
});

const PING = rpc('ping');
const post = (body: string, asked?: McpRequest) => postMcp(server, 'cto', body, asked);
/** A stack trace, a path of this machine, or the name of a library. */
const INTERNAL = /\bat \S+ \(|\.m?[jt]s\b|node_modules|\/tmp\/|\/home\/|[A-Z]\w+Error\b|zod/;

describe('what the library takes for its own fault, or not at all', () => {
  test.each([
    ['no protocolVersion', { capabilities: {}, clientInfo: { name: 'a', version: '1' } }],
    ['null for it', { protocolVersion: null, capabilities: {}, clientInfo: { name: 'a', version: '1' } }],
    ['no clientInfo', { protocolVersion: '2025-06-18', capabilities: {} }],
  ])('initialize with %s has invalid parameters', async (_what, params) => {
    const answer = await post(rpc('initialize', params));
    expect(answer.messages()[0]?.error?.code).toBe(-32_602);
    expect(answer.text).not.toMatch(INTERNAL);
  });

  test('the prompt boot_stub has no argument, and an unknown one is refused', async () => {
    const get = (more: object) => post(rpc('prompts/get', { name: 'boot_stub', ...more }));
    expect((await get({})).messages()[0]?.result).toBeDefined();
    expect((await get({ arguments: {} })).messages()[0]?.result).toBeDefined();
    expect((await get({ arguments: { profile: 'generic' } })).messages()[0]?.error?.code).toBe(-32_602);
  });
});

describe('what cannot be read as it was sent', () => {
  test.each([
    ['not UTF-8', Buffer.from(rpc('tools/list', { x: 'caf\xe9' }), 'latin1'), -32_700],
    [
      'a number that would be rounded',
      Buffer.from('{"jsonrpc":"2.0","id":1,"method":"ping","params":{"n":9007199254740993}}'),
      -32_600,
    ],
  ])('%s is refused by both endpoints', async (_, body, code) => {
    for (const path of ['/mcp', '/v1/mcp']) {
      const { status, text } = await postMcp(server, 'cto', body, { path });
      expect([status, JSON.parse(text)]).toMatchObject([
        400,
        { id: null, error: { code, data: { code: 'request_invalid' } } },
      ]);
    }
  });
});

describe('admission to /mcp', () => {
  const STRANGERS: readonly [what: string, headers: Record<string, string>][] = [
    ['the page of another site', { origin: 'https://elsewhere.example' }],
    ['a page without an origin of its own', { origin: 'null' }],
    ['another name for this machine', { host: 'elsewhere.example' }],
    ['another name, with its origin', { host: 'elsewhere.example', origin: 'http://elsewhere.example' }],
  ];

  test.each(STRANGERS)('%s is refused before its key is read', async (_what, headers) => {
    for (const who of ['cto', 'revoked', null] as const)
      expect(statusAndCode(await postMcp(server, who, PING, { headers }))).toEqual([403, 'origin_refused']);
  });

  test('a page of this server is not refused', async () => {
    expect((await post(PING, { headers: { origin: server.url } })).status).toBe(200);
  });

  test.each(['admin', 'scraper'] as const)('the key of the %s is no agent’s', async (who) => {
    expect(statusAndCode(await postMcp(server, who, PING))).toEqual([403, 'instruction_scope_denied']);
  });

  test.each([null, 'revoked'] as const)('the key “%s” is refused, and the answer says how to send one', async (who) => {
    const answer = await postMcp(server, who, PING);
    expect([...statusAndCode(answer), answer.headers['www-authenticate']]).toEqual([401, 'unauthenticated', 'Bearer']);
  });

  test.each(['GET', 'DELETE', 'PUT', 'PATCH', 'OPTIONS', 'TRACE'])(
    '%s has no stream and no session',
    async (method) => {
      const answer = await post('', { method });
      expect([...statusAndCode(answer), answer.headers.allow]).toEqual([405, 'method_not_allowed', 'POST']);
    },
  );

  test('each message of a batch counts', async () => {
    const batch = (length: number) => `[${Array.from({ length }, (_, id) => rpc('ping', undefined, id)).join()}]`;
    expect((await postMcp(limited, 'cto', batch(3))).messages()).toHaveLength(3);
    const answer = await postMcp(limited, 'cto', batch(3));
    expect(statusAndCode(answer)).toEqual([429, 'rate_limited']);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect((await postMcp(limited, 'cto2', PING)).status).toBe(200);
  });

  const REFUSED: readonly [code: ErrorCode, who: Who | null, intent: string][] = [
    ['unauthenticated', null, 'hand over'],
    ['unauthenticated', 'revoked', 'hand over'],
    ['payload_too_large', 'cto', 'x'.repeat(70_000)],
  ];

  test.each(REFUSED)('%s is the same at /mcp as at another route', async (code, who, intent) => {
    const json = { intent };
    const recalled = await server.ask(who, 'POST', '/v1/agents/cto/recall-instruction', { json });
    const answer = await postMcp(server, who, toolCall('recall_instruction', json));
    expect(answer.code).toBe(code);
    expect([answer.status, answer.text]).toEqual([recalled.status, recalled.text]);
  });
});

/** Requests that JSON-RPC refuses, with the code. */
const MALFORMED: readonly [what: string, body: string, code: number][] = [
  ['nothing', '', -32700],
  ['no JSON', '{', -32700],
  ['bytes that are no text', '\u0000\uFFFD', -32700],
  ['null', 'null', -32600],
  ['a number', '1', -32600],
  ['an object without a method', '{}', -32600],
  ['an empty batch', '[]', -32600],
  ['a batch of numbers', '[1,2]', -32600],
  ['thirty thousand nested lists', '['.repeat(30_000) + ']'.repeat(30_000), -32600],
  ['a batch of 101', `[${Array.from({ length: 101 }, (_, id) => rpc('ping', undefined, id)).join()}]`, -32600],
  ['a method of every object', rpc('__proto__'), -32601],
  ['an unknown method', rpc('tools/drop'), -32601],
  ['a subscription', rpc('subscriptions/listen', {}), -32601],
  ['a subscription in a batch', `[${rpc('subscriptions/listen', {})}]`, -32601],
  ['a subscription to a resource', rpc('resources/subscribe', { uri: 'vade://manifest' }), -32601],
  ['a level of a log', rpc('logging/setLevel', { level: 'debug' }), -32601],
  ['an unknown tool', toolCall('drop_garden', {}), -32602],
  ['a tool of every object', toolCall('__proto__', {}), -32602],
  ['another tool of every object', toolCall('constructor', {}), -32602],
  ['arguments that are a list', toolCall('recall_instruction', [1]), -32602],
  ['a cursor that nobody gave out', rpc('tools/list', { cursor: 'abc' }), -32602],
  ['a cursor that is null', rpc('tools/list', { cursor: null }), -32602],
  ['an unknown prompt', rpc('prompts/get', { name: 'toString' }), -32602],
  ['an unknown resource', rpc('resources/read', { uri: 'vade://secret' }), -32602],
  ['a file', rpc('resources/read', { uri: 'file:///etc/passwd' }), -32602],
  ['no URI', rpc('resources/read', { uri: 'not a uri' }), -32602],
  ['a very long URI', rpc('resources/read', { uri: `instruction:${'a/'.repeat(20_000)}` }), -32602],
  ['a fact of another agent', rpc('resources/read', { uri: 'instruction:acme/agent/cto2/budget/v1' }), -32602],
  ['a skill of another agent', rpc('resources/read', { uri: 'skill://budget/SKILL.md' }), -32602],
  ['a skill outside', rpc('resources/read', { uri: 'skill://../../etc/passwd' }), -32602],
];

describe('a message that /mcp cannot answer', () => {
  test.each(MALFORMED)('%s is refused by JSON-RPC, without anything of the inside', async (_what, body, code) => {
    const answer = await post(body);
    expect(answer.messages().map(({ error }) => error?.code)).toEqual([code]);
    expect(answer.text).not.toMatch(INTERNAL);
    expect(answer.text).not.toContain('Secret of');
    expect(server.log.filter((it) => it['code'] === 'internal')).toEqual([]);
  });

  test('a message without a method has its ID in the refusal, and an ID that was rounded has not', async () => {
    const ids = async (body: string) => (await post(body)).messages().map((it) => (it as { id?: unknown }).id);
    expect(await ids('{"jsonrpc":"2.0","id":7,"method":42}')).toEqual([7]);
    expect(await ids('{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}')).toEqual([null]);
  });

  test.each<[string, McpRequest]>([
    ['a client that takes anything', { headers: { accept: '*/*' } }],
    ['a client that says nothing of what it takes', { headers: { accept: null } }],
    ['a path with a slash at its end', { path: '/mcp/' }],
  ])('%s is answered', async (_what, asked) => {
    const answer = await post(PING, asked);
    expect([answer.status, answer.messages()]).toEqual([200, [expect.objectContaining({ result: {} })]]);
  });

  test('a key is read after several spaces, as RFC 9110 has it', async () => {
    const authorization = `Bearer   ${server.keys.cto}`;
    expect((await post(PING, { headers: { authorization } })).status).toBe(200);
  });

  test.each([
    ['another type of content', { 'content-type': 'text/plain' }, 415],
    ['a client that reads neither JSON nor events', { accept: 'text/html' }, 406],
    ['a revision that nobody knows', { 'mcp-protocol-version': '1999-01-01' }, 400],
    ['a body that is not compressed as it says', { 'content-encoding': 'gzip' }, 400],
    ['an unknown compression', { 'content-encoding': 'nonsense' }, 400],
  ])('%s is refused', async (_what, headers, status) => {
    const answer = await post(PING, { headers });
    expect(answer.status).toBe(status);
    expect(answer.text).not.toMatch(INTERNAL);
  });

  const deep = (open: string, close: string, depth: number) => `${open.repeat(depth)}1${close.repeat(depth)}`;
  const withArguments = (json: string) => toolCall('recall_instruction', 0).replace(':0}', `:${json}}`);
  const ARGUMENTS: readonly [what: string, json: string, code: ErrorCode][] = [
    ['nested objects', deep('{"a":', '}', 8000), 'request_invalid'],
    ['an unknown key with nested lists', `{"intent":"hand over","x":${deep('[', ']', 20_000)}}`, 'request_invalid'],
    ['a hint of nested lists', `{"intent":"hand over","manifest_hint":${deep('[', ']', 20_000)}}`, 'request_invalid'],
    ['a prototype with an intent', '{"__proto__":{"intent":"hand over"}}', 'intent_required'],
    ['a constructor', '{"intent":"hand over","constructor":{"prototype":{}}}', 'request_invalid'],
    ['an intent that is no text', '{"intent":{"toString":1}}', 'request_invalid'],
  ];

  test.each(ARGUMENTS)('arguments with %s are refused with our code', async (_what, json, code) => {
    const answer = await post(withArguments(json));
    const [told] = answer.messages();
    expect(told?.result).toEqual(failedWith(code));
    expect(answer.text).not.toMatch(INTERNAL);
    expect(({} as Record<string, unknown>)['intent']).toBeUndefined();
  });

  test('an internal error says nothing of its cause', async () => {
    let at = Date.now();
    const broken = await running({ ...(await compiledPeers()), now: () => at });
    at = Number.NaN; // an invalid clock causes an internal error
    const answer = await postMcp(broken, 'cto', toolCall('recall_instruction', { intent: 'hand over' }));
    at = Date.now();
    expect(textIn(answer.messages()[0]?.result)).toBe(`internal: ${UNEXPECTED}`);
    expect(answer.text).not.toMatch(/RangeError|Invalid time/);
  });
});
