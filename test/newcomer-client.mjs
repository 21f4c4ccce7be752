// An MCP client: connects to the server that `.mcp.json` here names, recalls for an intent, and closes the recall.
import { readFileSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const [intent = ''] = process.argv.slice(2);
const { command, args } = JSON.parse(readFileSync('.mcp.json', 'utf8')).mcpServers.vademecum;

const client = new Client({ name: 'newcomer', version: '1' });
await client.connect(new StdioClientTransport({ command, args, env: { PATH: process.env.PATH } }));
const call = async (name, given) => {
  const { isError, content } = await client.callTool({ name, arguments: given });
  if (isError) throw new Error(`${name}: ${JSON.stringify(content)}`);
  return content[0].text;
};

const text = await call('recall_instruction', { intent });
const pages = [...text.matchAll(/^## (\S+) v\d/gm)].map(([, name]) => name);
if (pages.length === 0) throw new Error(`nothing was recalled for “${intent}”`);
console.log(text);
const closed = await call('close_recall', { used_chunks: [pages[0]] });
if (closed !== 'Closed: 1.') throw new Error('the recall is not closed');
console.log(`recalled ${pages.join(', ')}; closed`);
await client.close();
