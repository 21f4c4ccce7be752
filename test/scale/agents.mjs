// Agents that ask a server through its proxy, and close a third of what they get:
//   node agents.mjs <url> <agents.json> <log.jsonl> <pause in ms>
// Each answer is a line of the log: when it was asked for, how long it took, what came back. It ends on SIGTERM.
import { createWriteStream, readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';

const [url = '', agentsFile = '', logFile = '', pause = ''] = process.argv.slice(2);
const { agents } = JSON.parse(readFileSync(agentsFile, 'utf8'));
const log = createWriteStream(logFile);
const TIMEOUT_MS = 20_000;
/** Every third answer is closed. */
const CLOSED = 3;
let isOver = false;

/** Posts; status 0 where no answer came. */
function post(path, { key, connection }, body) {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const none = (error) => resolve({ status: 0, text: error.message, headers: {} });
    const call = request(url + path, { method: 'POST', agent: connection, headers, timeout: TIMEOUT_MS }, (answer) => {
      const parts = [];
      answer.on('data', (part) => parts.push(part));
      answer.on('error', none);
      answer.on('end', () =>
        resolve({ status: answer.statusCode, text: Buffer.concat(parts).toString(), headers: answer.headers }),
      );
    });
    call.on('timeout', () => call.destroy(new Error('no answer')));
    call.on('error', none);
    call.end(JSON.stringify(body));
  });
}

async function asked(kind, path, agent, body) {
  const at = Date.now();
  const from = performance.now();
  const { status, text, headers } = await post(path, agent, body);
  const line = {
    at,
    ms: Math.round((performance.now() - from) * 10) / 10,
    kind,
    status,
    by: headers['x-served-by'],
    revision: headers['x-bundle-revision'],
  };
  return { line, text };
}

async function recall(asking, turn) {
  const { agent, about } = asking;
  const intent = `asked about the ${about} today, for the ${turn}th time by customer ${Math.floor(Math.random() * 1e6)}`;
  const { line, text } = await asked('recall', `/v1/agents/${agent}/recall-instruction`, asking, { intent });
  if (line.status !== 200) {
    log.write(`${JSON.stringify({ ...line, said: text.slice(0, 200) })}\n`);
    return null;
  }
  const { audit_token: token, warnings, chunks } = JSON.parse(text);
  const isAudited = !warnings.includes('audit_write_failed');
  log.write(`${JSON.stringify({ ...line, agent, token, isAudited, units: chunks.map((it) => it.name) })}\n`);
  return isAudited ? token : null;
}

async function close(asking, token) {
  const closing = { audit_token: token, used_chunks: ['task'], missed_chunks: [] };
  const { line, text } = await asked('closing', '/v1/instruction/audit', asking, closing);
  log.write(`${JSON.stringify({ ...line, token, ...(line.status !== 204 && { said: text.slice(0, 200) }) })}\n`);
}

async function live(known, i) {
  // one connection an agent
  const agent = { ...known, connection: new Agent({ keepAlive: true, maxSockets: 1 }) };
  await sleep(Math.random() * Number(pause));
  for (let turn = 1; !isOver; turn++) {
    const next = sleep(Number(pause) * (0.5 + Math.random()));
    const token = await recall(agent, turn);
    if (token !== null && (turn + i) % CLOSED === 0) await close(agent, token);
    await next;
  }
}

process.once('SIGTERM', () => {
  isOver = true;
  // open requests are still awaited; an answer that nobody logs would be lost to the judge
  setTimeout(() => log.end(() => process.exit()), TIMEOUT_MS / 4);
});
await Promise.all(agents.map(live));
