import { parse } from 'yaml';
import type { ExportedAgent, ExportedUnit } from '../../compiler/export/exported-agent.ts';
import { splitFrontMatter } from '../../compiler/sources/front-matter.ts';

/** A unit that every format takes, with changes. */
export function unit(name: string, changes: Partial<ExportedUnit> = {}): ExportedUnit {
  return {
    name,
    uri: `instruction:acme/agent/cto/${name}/v1`,
    digest: 'a'.repeat(64),
    file: `instructions/agents/cto/${name}.md`,
    description: `About ${name}`,
    intents: [],
    content: `Do what ${name} says.\n`,
    always: false,
    listed: true,
    files: [],
    without: [],
    ...changes,
  };
}

export function agentWith(units: readonly ExportedUnit[], changes: Partial<ExportedAgent> = {}): ExportedAgent {
  const revision = `7-${'b'.repeat(64)}`;
  return { deployment: 'acme', agent: 'cto', role: 'CTO', revision, rules: '', units, left: [], ...changes };
}

/** The front matter of a file as any reader of YAML sees it. */
export function frontOf(text: string): Record<string, unknown> {
  return parse(splitFrontMatter(text).yaml ?? '') as Record<string, unknown>;
}
