import type { ExportedAgent, Rendered } from './exported-agent.ts';
import { joinUnits } from './join-units.ts';
import { AGENTS_MD_BYTES } from './limits.ts';

/** One file for everything: the units come in their order while there is room. */
export function toAgentsMd(agent: ExportedAgent): Rendered {
  const sizeLimit = { limit: AGENTS_MD_BYTES, sizeOf: (text: string) => Buffer.byteLength(text) };
  const { text, left } = joinUnits(agent, 'agents-md', agent.units, sizeLimit);
  return { files: new Map([['AGENTS.md', text]]), left };
}
