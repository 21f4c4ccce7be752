import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { z } from 'zod';
import { afterFile } from '../../support/after-file.ts';

const Text = z.object({ text: z.string().default('') });
const Block = z.object({
  type: z.string(),
  text: z.string().default(''),
  name: z.string().default(''),
  input: z.unknown().optional(),
  content: z.union([z.string(), z.array(Text)]).optional(),
});

/** The part of a request of the Messages API that is counted. */
export const ModelRequest = z.object({
  model: z.string(),
  system: z.union([z.string(), z.array(Text)]).default(''),
  tools: z
    .array(z.object({ name: z.string(), description: z.string().default(''), input_schema: z.unknown().optional() }))
    .default([]),
  messages: z.array(z.object({ role: z.string(), content: z.union([z.string(), z.array(Block)]) })),
});
export type ModelRequest = z.infer<typeof ModelRequest>;

/** A call of a tool that the model is to make. */
export interface Step {
  readonly tool: string;
  readonly input: object;
}

/**
 * Serves in the place of a model (Anthropic Messages, streamed), so that a host runs without a login and what reaches
 * its model is seen: it calls the tools of the steps one after the other, and says “done”.
 *
 * @returns its address, and the last request that offered tools
 */
export async function standInModel(steps: readonly Step[]) {
  let last: ModelRequest | null = null;
  const server = createServer((request, response) => {
    answer(request, response, steps).then(
      (it) => (last = it ?? last),
      // a host repeats a request after most other errors
      (error: unknown) => response.writeHead(400).end(String(error)),
    );
  });
  afterFile(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : null;
  return { url: `http://127.0.0.1:${String(port)}`, last: () => last };
}

/** @returns the request, if it is one of the conversation */
async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  steps: readonly Step[],
): Promise<ModelRequest | null> {
  if (request.method !== 'POST' || !/^\/v1\/messages(\?|$)/.test(request.url ?? '')) {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"input_tokens":1}');
    return null;
  }
  const body = ModelRequest.parse(await json(request));
  const said = body.messages.filter(({ role }) => role === 'assistant').length;
  const isAsked = body.tools.length > 0;
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.end(eventsOf(body.model, said, isAsked ? (steps[said] ?? null) : null));
  return isAsked ? body : null;
}

function eventsOf(model: string, said: number, step: Step | null): string {
  const usage = { input_tokens: 1, output_tokens: 1 };
  const block = step
    ? { type: 'tool_use', id: `toolu_${said}`, name: step.tool, input: {} }
    : { type: 'text', text: '' };
  const delta = step
    ? { type: 'input_json_delta', partial_json: JSON.stringify(step.input) }
    : { type: 'text_delta', text: 'done' };
  const stop = { stop_reason: step ? 'tool_use' : 'end_turn', stop_sequence: null };
  const start = { stop_reason: null, stop_sequence: null, usage };
  const events = [
    {
      type: 'message_start',
      message: { id: `msg_${said}`, type: 'message', role: 'assistant', model, content: [], ...start },
    },
    { type: 'content_block_start', index: 0, content_block: block },
    { type: 'content_block_delta', index: 0, delta },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: stop, usage },
    { type: 'message_stop' },
  ];
  return events.map((it) => `event: ${it.type}\ndata: ${JSON.stringify(it)}\n\n`).join('');
}
