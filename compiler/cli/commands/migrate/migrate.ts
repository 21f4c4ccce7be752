import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { z } from 'zod';
import { createFile, replaceFile } from '../../../io/files/durable.ts';
import type { Migration } from '../../../migration/split.ts';
import { ManifestEntry } from '../../../schema/bundle/manifest.ts';
import { messageOf, VadeError } from '../../../schema/errors.ts';
import { MAX_UNIT_BYTES } from '../../../schema/source/unit.ts';
import { Name, RESERVED_NAMES } from '../../../schema/uri.ts';
import { defineCommand, DRY_RUN } from '../../registry.ts';

/** A legacy document may be as long as many units. */
const MAX_DOCUMENT_BYTES = 16 * MAX_UNIT_BYTES;

export const migrateCommand = defineCommand({
  path: 'migrate',
  description: 'Split existing Markdown into proposed units; a preview unless --write is given',
  danger: 'mutating',
  flags: {
    from: { type: 'string', required: true, description: 'Markdown file, or folder of Markdown files' },
    agent: { type: 'string', id: true, required: true, description: 'Short name of the agent that gets the units' },
    out: { type: 'string', default: 'instructions', description: 'Folder of the sources' },
    write: { type: 'boolean', description: 'Write the proposed files' },
    'dry-run': DRY_RUN,
  },
  exits: ['NOT_FOUND'],
  output: z.object({
    effect: z.enum(['updated', 'noop', 'would_update', 'would_noop']),
    agent: z.string(),
    written: z.boolean(),
    /** Entries for `vade publish`, valid once the files are committed. */
    entries: z.array(ManifestEntry.pick({ name: true, description: true, load_triggers: true, fact_uri: true })),
    changes: z.array(
      z.object({ file: z.string(), action: z.enum(['create', 'update', 'unchanged', 'removed']), name: z.string() }),
    ),
    proposes_agent: z.boolean(),
    notices: z.array(z.string()),
  }),
  examples: [
    { description: 'See the proposed units', command: 'vade migrate --from AGENTS.md --agent assistant' },
    { description: 'Write it', command: 'vade migrate --from AGENTS.md --agent assistant --write' },
  ],
  run: async (args, world) => {
    if (!Name.safeParse(args.agent).success || RESERVED_NAMES.includes(args.agent)) {
      throw new VadeError('argument_invalid', `“${args.agent}” cannot be an agent's name: use [a-z0-9-]`);
    }
    const { proposeUnits } = await import('../../../migration/split.ts');
    const { countTokens } = await import('../../../io/models/tokens.ts');
    const out = resolve(world.cwd, args.out);
    const folder = join(out, 'agents', args.agent);
    const migration = proposeUnits(readDocuments(resolve(world.cwd, args.from)), readTexts(folder), {
      agent: args.agent,
      countTokens,
      taken: [...readTexts(join(out, 'shared')).keys()].map((file) => file.replace(/\.md$/, '')),
    });
    const { addressUnits } = await import('../../../app/migrate.ts');
    const addressed = await addressUnits(out, readTexts(out).get('org.yaml'), args.agent, migration.units);
    const writes = args.write && !args['dry-run'];
    if (writes) write(folder, migration);
    const { changes, agentYaml } = migration;
    const notices = [...migration.notices, ...addressed.notices];
    const entries = migration.entries.map((it) => {
      const fact_uri = addressed.uris.get(it.name);
      return { ...it, ...(fact_uri !== undefined && { fact_uri }) };
    });
    const proposesAgent = agentYaml !== null;
    const same = !proposesAgent && changes.every((it) => it.action === 'unchanged');
    const effect = `${writes ? '' : 'would_'}${same ? 'noop' : writes ? 'updated' : 'update'}`;
    return {
      data: { effect, agent: args.agent, written: writes, entries, changes, proposes_agent: proposesAgent, notices },
      text: [...changes.map((it) => `${it.action.padEnd(9)}  ${it.file}`), ...notices, ...hint(writes)].join('\n'),
    };
  },
});

function hint(written: boolean): string[] {
  return written ? [] : ['nothing was written; add --write to write'];
}

/** The Markdown of a file, or of all files of a folder, by path below it. @throws source_not_found, request_invalid */
function readDocuments(from: string): { path: string; text: string }[] {
  const stat = lstatSync(from, { throwIfNoEntry: false });
  if (!stat) throw new VadeError('source_not_found', `${from} does not exist`);
  const names = stat.isDirectory() ? markdownBelow(from, '') : [''];
  if (names.length === 0) throw new VadeError('source_not_found', `${from} has no Markdown files`);
  return names.map((name) => ({ path: name === '' ? basename(from) : name, text: readText(join(from, name)) }));
}

function markdownBelow(folder: string, prefix: string): string[] {
  return readdirSync(join(folder, prefix), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      if (entry.isDirectory()) return markdownBelow(folder, `${prefix}${entry.name}/`);
      return entry.isFile() && entry.name.endsWith('.md') ? [`${prefix}${entry.name}`] : [];
    });
}

/** Untrusted input: the size is checked before the file is read, and only text is accepted. */
function readText(path: string): string {
  const stat = lstatSync(path);
  const bytes = stat.isFile() && stat.size <= MAX_DOCUMENT_BYTES ? readFileSync(path) : null;
  if (!bytes || bytes.includes(0)) throw new VadeError('request_invalid', `${path} is not a readable Markdown file`);
  return bytes.toString('utf8');
}

/** The existing files of a folder, by name. */
function readTexts(folder: string): Map<string, string> {
  const stat = lstatSync(folder, { throwIfNoEntry: false });
  if (!stat?.isDirectory()) return new Map();
  const files = readdirSync(folder, { withFileTypes: true }).filter((it) => it.isFile());
  return new Map(files.map((it) => [it.name, readFileSync(join(folder, it.name), 'utf8')]));
}

function write(folder: string, { units, changes, agentYaml }: Migration): void {
  const texts = new Map(units.map((unit) => [unit.file, unit.text]));
  try {
    mkdirSync(folder, { recursive: true });
    if (agentYaml !== null) createFile(join(folder, 'agent.yaml'), agentYaml);
    for (const { file, action } of changes) {
      const text = texts.get(file);
      if (action === 'removed') rmSync(join(folder, file));
      else if (action !== 'unchanged' && text !== undefined) replaceFile(join(folder, file), text);
    }
  } catch (error) {
    throw new VadeError('output_failed', `${folder} cannot be written: ${messageOf(error)}`);
  }
}
