// A tool loop with any model behind an OpenAI-style `chat/completions`, with nothing but Node:
// VADE_URL=http://127.0.0.1:8765 VADE_KEY=vk_… VADE_AGENT=assistant OPENAI_BASE_URL=… OPENAI_API_KEY=… MODEL=… \
//   node tool-loop.ts "Leave the work for today"
const { VADE_URL, VADE_KEY, VADE_AGENT = '', OPENAI_BASE_URL, OPENAI_API_KEY, MODEL } = process.env;
const MAX_TURNS = 20;

interface ToolCall {
  readonly id: string;
  readonly function: { readonly name: string; readonly arguments: string };
}
interface Message {
  readonly role: string;
  readonly content: string | null;
  readonly tool_calls?: readonly ToolCall[];
}

/** Path of the request that each tool sends to Vademecum. */
const PATHS: Readonly<Record<string, string>> = {
  recall_instruction: `/v1/agents/${VADE_AGENT}/recall-instruction`,
  close_recall: '/v1/instruction/audit',
};

async function send(url: string, key: string | undefined, body?: string): Promise<Response> {
  const headers = { authorization: `Bearer ${key ?? ''}`, 'content-type': 'application/json' };
  return fetch(url, { headers, ...(body !== undefined && { method: 'POST', body }) });
}

/** Calls a tool; a refusal is an answer too, which tells the model what to do better. */
async function callTool({ id, function: { name, arguments: given } }: ToolCall) {
  const path = PATHS[name];
  if (path === undefined) return { role: 'tool', tool_call_id: id, content: `there is no tool ${name}` };
  const response = await send(`${VADE_URL ?? ''}${path}`, VADE_KEY, given);
  return { role: 'tool', tool_call_id: id, content: (await response.text()) || 'closed' };
}

async function askModel(messages: readonly object[], tools: readonly object[]): Promise<Message> {
  const body = JSON.stringify({ model: MODEL, messages, tools });
  const response = await send(`${OPENAI_BASE_URL ?? ''}/chat/completions`, OPENAI_API_KEY, body);
  if (!response.ok) throw new Error(`the model answered ${response.status}: ${await response.text()}`);
  const { choices } = (await response.json()) as { choices: readonly { message: Message }[] };
  return choices[0]?.message ?? { role: 'assistant', content: null };
}

/** The tools: the boot stub carries the schema of the first. */
function toolsOf(stub: string): object[] {
  const recall = JSON.parse(/^recall_tool_schema: (.*)$/m.exec(stub)?.[1] ?? '{}') as object;
  const names = { type: 'array', items: { type: 'string' } };
  const properties = {
    audit_token: { type: 'string' },
    used_chunks: names,
    missed_chunks: names,
    nothing_fits: { type: 'boolean' },
  };
  const close = { type: 'object', properties, required: ['audit_token'] };
  const tool = (name: string, description: string, parameters: object) => ({
    type: 'function',
    function: { name, description, parameters },
  });
  return [
    tool('recall_instruction', 'Load the instructions for what you are about to do.', recall),
    tool(
      'close_recall',
      'Report which units you used, and what you needed and did not get, or that nothing fits.',
      close,
    ),
  ];
}

const answer = await send(`${VADE_URL ?? ''}/v1/agents/${VADE_AGENT}/boot-stub`, VADE_KEY);
const stub = await answer.text();
if (!answer.ok) throw new Error(`no boot stub: ${stub}`);
const messages: object[] = [
  { role: 'system', content: stub },
  { role: 'user', content: process.argv[2] ?? '' },
];
for (let turn = 0; ; turn++) {
  if (turn === MAX_TURNS) throw new Error(`the model has not finished after ${MAX_TURNS} turns`);
  const said = await askModel(messages, toolsOf(stub));
  messages.push(said);
  if (!said.tool_calls?.length) {
    console.log(said.content);
    break;
  }
  for (const call of said.tool_calls) messages.push(await callTool(call));
}
