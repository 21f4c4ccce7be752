import { parse } from 'yaml';
import type { ExportedAgent, ExportedUnit } from '../../compiler/export/exported-agent.ts';
import { splitFrontMatter } from '../../compiler/sources/front-matter.ts';
import { sha256 } from '../../compiler/trust/canonical.ts';

/** A unit that every format takes, with changes. */
export function unit(name: string, changes: Partial<ExportedUnit> = {}): ExportedUnit {
  const { content = `Do what ${name} says.\n` } = changes;
  return {
    name,
    uri: `instruction:acme/agent/cto/${name}/v1`,
    digest: sha256(content),
    file: `instructions/agents/cto/${name}.md`,
    source: null,
    description: `About ${name}`,
    intents: [],
    keywords: [],
    content,
    always: false,
    listed: true,
    priority: 0,
    files: [],
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
