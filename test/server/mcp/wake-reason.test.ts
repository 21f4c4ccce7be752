import { beforeAll, describe, expect, test } from 'vitest';
import { compileToFolder, testTrust } from '../../support/compiled.ts';
import { unitFile } from '../../support/repository.ts';
import { rowOf } from '../audit-file.ts';
import { peers } from '../deployment.ts';
import { running, type Running } from '../running.ts';
import {
  failedWith,
  LATEST_META,
  latestHeaders,
  postMcp,
  textIn,
  tokenIn,
  toolCall,
  type McpRequest,
} from './asking.ts';

let server: Running;

const REASON = 'issue_assigned';

/** The cto has a unit that comes with every heartbeat of this wake reason. */
beforeAll(async () => {
  const trust = testTrust();
  const required = `required_by_task_types: [${REASON}]\n`;
  const repo = peers().write(
    'instructions/agents/cto/on-assignment.md',
    unitFile('What to do with a new issue', ['an issue was assigned'], required, 'Secret of the wake reason.'),
  );
  repo.commit('assign');
  const { out } = await compileToFolder(repo.path, { trust });
  server = await running({ bundle: out, trust });
});

const INTENT = { intent: 'hand over', max_chunks: 1 };

/** A recall over MCP: its answer, without the token, and its row. */
async function recalled(body: string, asked?: McpRequest) {
  const [told] = (await postMcp(server, 'cto', body, asked)).messages();
  const text = textIn(told?.result);
  return { answer: text.replace(tokenIn(text), ''), row: await rowOf(server.audit, 'recalls', tokenIn(text)) };
}

const NAMES = ['wake_reason', 'wake-reason', 'X-Wake-Reason', 'task_type', 'io.modelcontextprotocol/wakeReason'];
const claims = Object.fromEntries(NAMES.map((name) => [name, REASON]));
const HEADERS = { 'x-wake-reason': REASON, 'wake-reason': REASON, 'mcp-param-wake-reason': REASON };

/** Ways to claim a wake reason without the control plane. */
const CLAIMED: readonly [where: string, body: string, asked?: McpRequest][] = [
  ['_meta', toolCall('recall_instruction', INTENT, { _meta: claims })],
  ['the params of the request', toolCall('recall_instruction', INTENT, claims)],
  ['a header', toolCall('recall_instruction', INTENT), { headers: HEADERS }],
  [
    '_meta of the last revision',
    toolCall('recall_instruction', INTENT, { _meta: { ...LATEST_META, ...claims } }),
    { headers: { ...HEADERS, ...latestHeaders('tools/call', 'recall_instruction') } },
  ],
];

describe('a wake reason that an agent claims', () => {
  test.each(CLAIMED)('a wake reason in %s changes neither the answer nor the row', async (_where, body, asked) => {
    const plain = await recalled(toolCall('recall_instruction', INTENT));
    const claiming = await recalled(body, asked);
    expect(claiming.answer).toEqual(plain.answer);
    expect(claiming.answer).not.toContain('Secret of');
    expect(claiming.row).toMatchObject({ kind: 'recall', wake_reason: null, heartbeat_source: 'generated' });
  });

  test.each(NAMES)('the argument “%s” is refused as an unknown key', async (name) => {
    const body = toolCall('recall_instruction', { ...INTENT, [name]: REASON });
    const [told] = (await postMcp(server, 'cto', body)).messages();
    expect(told?.result).toEqual(failedWith('request_invalid'));
  });
});
