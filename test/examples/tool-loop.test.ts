import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recallToolSchema } from '../../compiler/schema/api/recall-tool.ts';
import type { RecallResponse } from '../../compiler/schema/api/recall.ts';
import { rows } from '../server/audit-file.ts';
import { compiledPeers } from '../server/deployment.ts';
import { running, type Running } from '../server/running.ts';
import { runExample } from './running-example.ts';

interface Message {
  readonly role: string;
  readonly content: string;
}

/** Request of the loop to a model. */
interface ModelRequest {
  readonly model: string;
  readonly messages: readonly Message[];
  readonly tools: readonly { readonly function: { readonly name: string; readonly parameters: object } }[];
}

let server: Running;
const models = new Set<Server>();

beforeAll(async () => {
  server = await running(await compiledPeers());
});

afterAll(() => {
  for (const model of models) model.close();
});

const toolCall = (name: string, given: object) => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id: `call-${name}`, type: 'function', function: { name, arguments: JSON.stringify(given) } }],
});

const saying = (content: string) => ({ role: 'assistant', content });

/** The text of the last message: the result of a tool. */
const lastResult = ({ messages }: ModelRequest) => messages.at(-1)?.content ?? '';

/** A model that says one thing after the other, each from what it was asked; and what it was asked. */
async function scripted(script: readonly ((asked: ModelRequest) => object)[]) {
  const asked: ModelRequest[] = [];
  const model = createServer((request, response) => {
    void json(request).then((body) => {
      const message = script[asked.push(body as ModelRequest) - 1]?.(body as ModelRequest) ?? saying('');
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ choices: [{ message }] }));
    });
  });
  models.add(model.listen(0, '127.0.0.1'));
  await once(model, 'listening');
  return { asked, url: `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1` };
}

const runLoop = (model: string, key = server.keys.cto) =>
  runExample('tool-loop.ts', ['Leave the work for today'], {
    ...{ VADE_URL: server.url, VADE_KEY: key, VADE_AGENT: 'cto' },
    ...{ OPENAI_BASE_URL: model, OPENAI_API_KEY: 'sk-test', MODEL: 'a-model' },
  });

describe('the tool loop of an OpenAI-style model', () => {
  test('the loop gives the model the boot stub, the recalled units and the closing, and prints its last words', async () => {
    const { asked, url } = await scripted([
      () => toolCall('recall_instruction', { intent: 'done for today' }),
      (it) => {
        const { audit_token, chunks } = JSON.parse(lastResult(it)) as RecallResponse;
        const used_chunks = chunks.map(({ name }) => name);
        return toolCall('close_recall', { audit_token, used_chunks, missed_chunks: ['travel'] });
      },
      () => saying('All is left in order.'),
    ]);
    const { code, stdout, stderr } = await runLoop(url);
    expect([code, stdout], stderr).toEqual([0, 'All is left in order.\n']);
    const [first] = asked;
    const stub = (await server.ask('cto', 'GET', '/v1/agents/cto/boot-stub')).text;
    expect(first?.messages[0]).toEqual({ role: 'system', content: stub });
    expect(first?.tools[0]?.function.parameters).toEqual(recallToolSchema());
    const [closing] = await rows(server.audit, 'closings');
    expect(closing).toMatchObject({ missed_chunks: '["travel"]' });
  });

  test('the model gets the code of a refused call, and may go on', async () => {
    const { asked, url } = await scripted([
      () => toolCall('recall_instruction', { intent: '' }),
      () => toolCall('pay_invoice', {}),
      () => saying('Sorry.'),
    ]);
    const { code, stdout } = await runLoop(url);
    expect([code, stdout]).toEqual([0, 'Sorry.\n']);
    expect(JSON.parse(lastResult(asked[1]!))).toMatchObject({ error: { code: 'intent_required' } });
    expect(lastResult(asked[2]!)).toContain('pay_invoice');
  });

  test('the loop ends before it asks the model if the key is wrong', async () => {
    const { asked, url } = await scripted([]);
    const { code, stderr } = await runLoop(url, 'vk_wrong');
    expect([code, asked]).toEqual([1, []]);
    expect(stderr).toContain('unauthenticated');
  });

  test('the loop ends after twenty turns with a model that never stops', async () => {
    const always = () => toolCall('recall_instruction', { intent: 'done for today' });
    const { asked, url } = await scripted(Array.from({ length: 30 }, () => always));
    const { code } = await runLoop(url);
    expect([code, asked.length]).toEqual([1, 20]);
  });
});
