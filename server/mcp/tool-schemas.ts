import { ProtocolError, ProtocolErrorCode, ResourceTemplate, type McpServer } from '@modelcontextprotocol/server';
import { toolEntry } from '../operations/tables/tool-catalog.ts';
import { schemaUri, STORE_BY_NAME } from './store-tools.ts';

const TYPE = 'application/json';

/** Serves the full schemas of the operations on a store, of which tools tell the outline alone. */
export function registerToolSchemas(server: McpServer): void {
  const resources = [...STORE_BY_NAME].map(([name, [, { summary }]]) => ({
    name,
    description: summary,
    uri: schemaUri(name),
    mimeType: TYPE,
  }));
  const template = new ResourceTemplate(schemaUri('{name}'), { list: () => ({ resources }) });
  const about = { mimeType: TYPE, description: 'The JSON Schemas of a tool: of its input, and of its answer' };
  server.registerResource('tool', template, about, ({ href }, { name = '' }) => {
    const found = STORE_BY_NAME.get(String(name));
    if (!found) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `no tool has the schema ${href}`);
    return { contents: [{ uri: href, mimeType: TYPE, text: JSON.stringify(toolEntry(...found)) }] };
  });
}
