// A client of Vademecum, with Node alone: VADE_KEY=vk_… node client.ts http://127.0.0.1:8765 assistant "I am done"
import { createHash } from 'node:crypto';

type Chunk = Readonly<Record<'name' | 'fact_uri' | 'content' | 'source', string>> & { readonly is_part?: true };
type Answer = { readonly chunks: readonly Chunk[]; readonly audit_token: string };
interface Fact {
  readonly content: string;
  readonly fallback?: { readonly path: string } | null;
  readonly attestation_chain: readonly { readonly envelope: { readonly payload: string } }[];
}
type Statement = {
  readonly subject: readonly { readonly name: string; readonly digest: { readonly sha256: string } }[];
};

const [url = '', agent = '', intent = ''] = process.argv.slice(2);
const headers = { authorization: `Bearer ${process.env['VADE_KEY'] ?? ''}`, 'content-type': 'application/json' };

/** Gets, or posts a body; a refusal is thrown with its code. */
async function call(path: string, body?: object): Promise<string> {
  const response = await fetch(url + path, { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
  return text;
}

/** Whether a chunk is the text that its garden’s signed statement names; `vade verify` checks the signatures. */
async function isAttested({ fact_uri, content, source, is_part }: Chunk): Promise<boolean> {
  const fact = JSON.parse(await call(`/v1/facts/${encodeURIComponent(fact_uri)}`)) as Fact;
  const signed = source === 'fallback_path' ? `files/${fact.fallback?.path}` : fact_uri; // a legacy file by its path
  const whole = is_part && fact.content.startsWith(content) ? fact.content : content;
  const digest = createHash('sha256').update(whole).digest('hex');
  return fact.attestation_chain.some(({ envelope }) => {
    const { subject } = JSON.parse(Buffer.from(envelope.payload, 'base64').toString('utf8')) as Statement;
    return subject.some((it) => it.name === signed && it.digest.sha256 === digest);
  });
}

console.log(await call(`/v1/agents/${agent}/boot-stub`)); // the start of the agent’s prompt
const { chunks, audit_token } = JSON.parse(await call(`/v1/agents/${agent}/recall-instruction`, { intent })) as Answer;
for (const chunk of chunks) {
  if (!(await isAttested(chunk))) throw new Error(`${chunk.name} is not attested`);
  console.log(chunk.content); // the instructions for the task
}
const used_chunks = chunks.map(({ name }) => name); // after the task: only those that the agent used
await call('/v1/instruction/audit', { audit_token, used_chunks, missed_chunks: [] });
