import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { RecallResponse } from '../../../compiler/schema/api/recall.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { rowOf, rows } from '../audit-file.ts';
import { compiledPeers } from '../deployment.ts';
import { running, type AskOptions, type Running, statusAndCode } from '../running.ts';

let server: Running;

beforeAll(async () => {
  server = await running(await compiledPeers());
});

const PATH = '/v1/agents/cto/recall-instruction';
const JSON_TYPE = { 'content-type': 'application/json' };
const ask = (json: unknown) => server.recall('cto', 'cto', json);
const send = (asked: AskOptions) => server.ask('cto', 'POST', PATH, asked);
const invalid = [400, 'request_invalid'];
const intent = 'hand over';

describe('§21.8.4 intent_required', () => {
  test.each([
    {},
    { max_chunks: 3 },
    { intent: null },
    { intent: '' },
    { intent: ' ' },
    { intent: '\n\t\u00a0\u2003 ' },
  ])('a recall with the body %j is intent_required', async (body) => {
    expect(statusAndCode(await ask(body))).toEqual([400, 'intent_required']);
  });
});

describe('DESIGN §6.6 bounds, types and unknown fields', () => {
  test.each([
    ['an intent that is a number', { intent: 5 }],
    ['an intent that is a list', { intent: ['hand over'] }],
    ['an unknown field', { intent, limit: 3 }],
    ['a field of another case', { intent, Max_Chunks: 3 }],
    ['max_chunks 0', { intent, max_chunks: 0 }],
    ['max_chunks -1', { intent, max_chunks: -1 }],
    ['max_chunks 51', { intent, max_chunks: 51 }],
    ['max_chunks 1e9', { intent, max_chunks: 1e9 }],
    ['max_chunks 1.5', { intent, max_chunks: 1.5 }],
    ['max_chunks as text', { intent, max_chunks: '3' }],
    ['token_budget 0', { intent, token_budget: 0 }],
    ['token_budget 100,001', { intent, token_budget: 100_001 }],
    ['token_budget 0.5', { intent, token_budget: 0.5 }],
    ['token_budget as text', { intent, token_budget: '1200' }],
    ['hints that are not a list', { intent, manifest_hint: 'wrap-up' }],
    ['a hint that is a number', { intent, manifest_hint: [7] }],
  ])('a recall with %s is request_invalid', async (_name, body) => {
    expect(statusAndCode(await ask(body))).toEqual(invalid);
  });

  test('a recall with a field named __proto__ is request_invalid', async () => {
    const body = '{"intent":"hand over","__proto__":{"max_chunks":0}}';
    expect(statusAndCode(await send({ body, headers: JSON_TYPE }))).toEqual(invalid);
  });

  test.each([
    ['max_chunks 1', { intent, max_chunks: 1 }],
    ['max_chunks 50', { intent, max_chunks: 50 }],
    ['token_budget 1', { intent, token_budget: 1 }],
    ['token_budget 100,000', { intent, token_budget: 100_000 }],
    ['10 hints', { intent, manifest_hint: Array.from({ length: 10 }, (_, i) => `unit-${i}`) }],
    ['no hints', { intent, manifest_hint: [] }],
    ['null for every optional field', { intent, max_chunks: null, token_budget: null, manifest_hint: null }],
  ])('a recall with %s is within bounds', async (_name, body) => {
    expect((await ask(body)).status).toBe(200);
  });

  test.each([
    ['Latin', 'x'],
    ['Chinese', '交'],
    ['emoji', '🪴'],
  ])('an intent may have at most 8,000 characters: %s', async (_name, letter) => {
    expect((await ask({ intent: letter.repeat(8000) })).status).toBe(200);
    expect(statusAndCode(await ask({ intent: letter.repeat(8001) }))).toEqual(invalid);
  });
});

describe('§21.8.4 malformed and too large bodies', () => {
  test.each(['{"intent":', '{intent: "x"}', 'hand over', '"hand over"', '7', 'null', '{"intent":"x"}{}', '\0'])(
    'a recall with the body %j is request_invalid',
    async (body) => {
      expect(statusAndCode(await send({ body, headers: JSON_TYPE }))).toEqual(invalid);
    },
  );

  test('a recall as text, as a form or in an unknown encoding is request_invalid', async () => {
    const body = JSON.stringify({ intent });
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=klingon']) {
      expect([type, ...statusAndCode(await send({ body, headers: { 'content-type': type } }))]).toEqual([
        type,
        ...invalid,
      ]);
    }
    expect(statusAndCode(await send({ body, headers: { ...JSON_TYPE, 'content-encoding': 'zip' } }))).toEqual(invalid);
  });

  test.each([
    ['short', 0],
    ['long', 10_000],
  ])('a %s body that is not UTF-8 is request_invalid, and is in no row of the audit', async (_, length) => {
    const body = Buffer.from('{"intent":"caf\xe9 refund"}'.padEnd(length), 'latin1');
    const zipped = { ...JSON_TYPE, 'content-encoding': 'gzip' };
    expect(statusAndCode(await send({ body, headers: JSON_TYPE }))).toEqual(invalid);
    expect(statusAndCode(await send({ body: gzipSync(body), headers: zipped }))).toEqual(invalid);
    for (const type of ['iso-8859-1', 'utf-16le', '"utf-16"']) {
      const headers = { 'content-type': `application/json; charset=${type}` };
      expect(statusAndCode(await send({ body: Buffer.from(JSON.stringify({ intent }), 'utf16le'), headers }))).toEqual(
        invalid,
      );
      expect(statusAndCode(await send({ body: JSON.stringify({ intent }), headers }))).toEqual(invalid);
    }
  });

  test('a number of a query is in digits alone', async () => {
    const at = (query: string) => server.ask('cto', 'GET', `/v1/agents/cto/units?limit=${query}`);
    expect((await at('10')).status).toBe(200);
    for (const limit of ['0x10', '1e1', '%201', '01', '', '0', '501', '1.0', '-1', '+1'])
      expect([limit, ...statusAndCode(await at(limit))]).toEqual([limit, ...invalid]);
    const audit = (query: string) => server.ask('admin', 'GET', `/v1/agents/cto/audit?${query}`);
    expect((await audit('limit=200&before=9007199254740991')).status).toBe(200);
    for (const query of ['limit=1e1', 'before=0x10', 'before=%201', 'limit='])
      expect([query, ...statusAndCode(await audit(query))]).toEqual([query, ...invalid]);
  });

  test('a body is read alike with a charset and without one, whatever its length', async () => {
    const bom = '\uFEFF';
    const texts = [JSON.stringify({ intent }), ` [${JSON.stringify(intent)}] `, '7 '];
    const bodies = texts.flatMap((it) => [it, bom + it, bom + bom + it, it.padEnd(9999), it.padEnd(10_000), `${it}\0`]);
    for (const body of [...bodies, JSON.stringify({ intent: 'é\ud800 🙂' }), ' ', '']) {
      const readings = ['application/json', 'application/json; charset=utf-8'].map(async (type) => {
        const answer = await send({ body, headers: { 'content-type': type } });
        return [answer.status, answer.text.replace(/"audit_token":"[^"]*"/, '')];
      });
      const [plain, general] = await Promise.all(readings);
      expect(plain).toEqual(general);
    }
  });

  test('a body of 64 KiB is accepted, and one byte more is payload_too_large', async () => {
    const body = JSON.stringify({ intent });
    expect((await send({ body: body.padEnd(65_536), headers: JSON_TYPE })).status).toBe(200);
    expect(statusAndCode(await send({ body: body.padEnd(65_537), headers: JSON_TYPE }))).toEqual([
      413,
      'payload_too_large',
    ]);
  });

  test('a compressed body that is too large when unpacked is payload_too_large', async () => {
    const body = gzipSync(JSON.stringify({ intent: 'x'.repeat(10_000_000) }));
    const headers = { ...JSON_TYPE, 'content-encoding': 'gzip' };
    expect(statusAndCode(await send({ body, headers }))).toEqual([413, 'payload_too_large']);
  });
});

describe('arbitrary JSON', () => {
  const almost = fc.record(
    {
      intent: fc.oneof(fc.string({ unit: anyCharacter }), fc.string({ unit: 'grapheme' }), fc.jsonValue()),
      max_chunks: fc.oneof(fc.integer(), fc.double(), fc.jsonValue()),
      token_budget: fc.oneof(fc.integer(), fc.jsonValue()),
      manifest_hint: fc.oneof(fc.array(fc.constantFrom('wrap-up', 'toString', '__proto__', 'x')), fc.jsonValue()),
    },
    { requiredKeys: [] },
  );

  test('arbitrary JSON as a recall gets an answer or a 400, never a 5xx', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(almost, fc.jsonValue()), async (body) => {
        const answer = await ask(body);
        if (answer.status === 200) RecallResponse.parse(answer.json());
        else expect(['400 intent_required', '400 request_invalid']).toContain(statusAndCode(answer).join(' '));
      }),
      { numRuns: 300 },
    );
  });

  test('arbitrary JSON as a closing gets a 400', async () => {
    const closing = fc.record(
      {
        audit_token: fc.oneof(fc.string(), fc.jsonValue()),
        used_chunks: fc.jsonValue(),
        missed_chunks: fc.jsonValue(),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.oneof(closing, fc.jsonValue()), async (json) => {
        const answer = await server.ask('cto', 'POST', '/v1/instruction/audit', { json });
        expect(answer.status).toBe(400);
      }),
      { numRuns: 200 },
    );
  });
});

const FILES = ['src/secret-project/form.tsx', 'docs/größe.md'];

describe('files of a recall over HTTP', () => {
  test('the audit has the files beside the intent, and not in what the chain covers', async () => {
    const { audit_token } = RecallResponse.parse((await ask({ intent, files: FILES })).json());
    const { body, ...row } = await rowOf(server.audit, 'recalls', audit_token);
    expect(JSON.stringify([body, row['request']])).not.toContain('secret-project');
    const [seen] = (await rows(server.audit, 'instruction_audit')).filter((it) => it['audit_token'] === audit_token);
    expect(JSON.parse(String(seen?.['files']))).toEqual(FILES);
    const listed = (await server.ask('admin', 'GET', '/v1/agents/cto/audit')).json()['entries'];
    expect(listed).toContainEqual(expect.objectContaining({ audit_token, files: FILES }));
  });

  test.each([{ files: ['/etc/passwd'] }, { files: ['../x'] }, { files: ['a\\b'] }, { files: 'a' }, { files: [1] }])(
    'a recall with %j is request_invalid',
    async (json) => {
      const answer = await ask({ intent, ...json });
      expect(statusAndCode(answer)).toEqual(invalid);
    },
  );

  test('50 paths of 500 characters are not too large a request', async () => {
    const answer = await ask({ intent, files: Array.from({ length: 50 }, () => 'a/'.repeat(250)) });
    expect(answer.status).toBe(200);
  });
});
