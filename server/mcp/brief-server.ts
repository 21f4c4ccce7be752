import { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { VERSION } from '../../compiler/io/files/version.ts';
import { Name } from '../../compiler/schema/uri.ts';
import type { BriefRequest, PrintBrief } from '../operations/call.ts';
import { protocolFailure } from './mcp-errors.ts';
import { UNANNOUNCED } from './refuse-message.ts';

/** Arguments of a prompt are texts. */
const Arguments = z.object({
  agent: Name.describe('Agent, by short name; of phrases also shared'),
  unit: Name.optional().describe('Only for this unit'),
  part: z
    .string()
    .regex(/^[1-9]\d{0,3}$/)
    .optional()
    .describe('Part, if the brief has several'),
});

const PROMPTS = {
  phrases: 'What to write so that agents find units in their own words; the answer is a file for vade brief take',
  probes: 'Questions to write that have to find units, blind; the answer is a file for vade brief take',
} as const satisfies Record<BriefRequest['kind'], string>;

/** An MCP server for an administrator who writes: the briefs of the working tree, as prompts. */
export function briefServer(print: PrintBrief): McpServer {
  const server = new McpServer(
    { name: 'vademecum', title: 'Vademecum', version: VERSION },
    { capabilities: { prompts: UNANNOUNCED.prompts } },
  );
  for (const kind of ['phrases', 'probes'] as const) {
    server.registerPrompt(`brief_${kind}`, { description: PROMPTS[kind], argsSchema: Arguments }, async (asked) => {
      const { agent, unit, part = '1' } = asked;
      const text = await print({ kind, agent, unit, part: Number(part) }).catch((error: unknown) => {
        throw protocolFailure(error);
      });
      return { messages: [{ role: 'user', content: { type: 'text', text } }] };
    });
  }
  return server;
}
