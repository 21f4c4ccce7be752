// An MCP client: connects to the server that `.mcp.json` here names, recalls for an intent, and closes the recall.
import { readFileSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const [intent = ''] = process.argv.slice(2);
const { command, args } = JSON.parse(readFileSync('.mcp.json', 'utf8')).mcpServers.vademecum;

const client = new Client({ name: 'newcomer', version: '1' });
await client.connect(new StdioClientTransport({ command, args, env: { PATH: process.env.PATH } }));
const call = async (name, given) => {
  const { isError, content, structuredContent } = await client.callTool({ name, arguments: given });
  if (isError) throw new Error(`${name}: ${JSON.stringify(content)}`);
  return structuredContent;
};

const { chunks, audit_token } = await call('recall_instruction', { intent });
if (chunks.length === 0) throw new Error(`nothing was recalled for “${intent}”`);
console.log(chunks[0].content);
const { closed } = await call('close_recall', { audit_token, used_chunks: [chunks[0].name], missed_chunks: [] });
if (closed !== true) throw new Error('the recall is not closed');
console.log(`recalled ${chunks.map(({ name }) => name).join(', ')}; closed`);
await client.close();
