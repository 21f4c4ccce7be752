import { McpServer, type McpServerOptions } from '@modelcontextprotocol/server';
import { CLOSE_TOOL, RECALL_TOOL } from '../../compiler/schema/api/recall-tool.ts';
import { API_VERSION } from '../operations/api-version.ts';
import type { AgentCaller } from '../operations/own-operations.ts';
import { PRIVATE } from './private-cache.ts';
import { registerResources } from './resources.ts';
import { attachSkills } from './skills.ts';
import { UNANNOUNCED } from './subscriptions.ts';
import { registerTools } from './tools.ts';

/** What a host tells its model of this server. */
const INSTRUCTIONS =
  `Call ${RECALL_TOOL} with what you are about to do before any non-trivial task, and again after a compaction or a ` +
  `change of task. Follow what comes back. When the task is done, call ${CLOSE_TOOL} with the audit_token, ` +
  'used_chunks (names of the units that you used) and missed_chunks (what you needed and did not get).';

const OPTIONS: McpServerOptions = {
  instructions: INSTRUCTIONS,
  capabilities: UNANNOUNCED,
  cacheHints: Object.fromEntries(
    (
      [
        'tools/list',
        'prompts/list',
        'resources/list',
        'resources/templates/list',
        'resources/read',
        'server/discover',
      ] as const
    ).map((method) => [method, PRIVATE]),
  ),
};

/** An MCP server for one agent: tools, documents, units, skills. Nothing that it serves changes under a client's feet. */
export function agentServer(caller: AgentCaller): McpServer {
  const server = new McpServer({ name: 'vademecum', title: 'Vademecum', version: API_VERSION }, OPTIONS);
  registerTools(server, caller);
  registerResources(server, caller);
  attachSkills(server, caller);
  return server;
}
