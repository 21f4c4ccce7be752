import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { readUnitsAnswer, type WordsAnswer } from '../../../brief/read-units-answer.ts';
import { createFile, replaceFile } from '../../../io/files/durable.ts';
import { assertOwnWay } from '../../../io/files/own-way.ts';
import type { Migration } from '../../../migration/propose/proposal.ts';
import { PublishedEntry } from '../../../schema/api/publication.ts';
import { printable } from '../../../schema/diagnostics.ts';
import { messageOf, VadeError } from '../../../schema/errors.ts';
import { Name, RESERVED_NAMES } from '../../../schema/uri.ts';
import { DRY_RUN, MODELS } from '../../../world/flags/shared.ts';
import { heedSignal } from '../../../world/heed-signal.ts';
import type { World } from '../../../world/world.ts';
import { readInput } from '../../json-input.ts';
import { defineCommand } from '../../registry.ts';
import { tellFaults } from '../../tell-faults.ts';
import { commandOf, hint, nextOf } from './migrate-next.ts';
import { linesOf, previewOf } from './migration-preview.ts';
import { readDocuments } from './read-documents.ts';

export const migrateCommand = defineCommand({
  path: 'migrate',
  description: 'Split existing Markdown into proposed units; a preview unless --write is given',
  danger: 'mutating',
  flags: {
    from: { type: 'string', required: true, description: 'Markdown file, or folder of Markdown files' },
    agent: { type: 'string', id: true, required: true, description: 'Short name of the agent that gets the units' },
    out: { type: 'string', default: 'instructions', description: 'Folder of the sources' },
    models: MODELS,
    brief: {
      type: 'boolean',
      description: 'Print what a coding agent needs to name, describe and trigger the units; writes nothing',
    },
    part: { type: 'integer', default: 1, min: 1, max: 1000, description: 'Part of the brief' },
    answers: { type: 'array', description: 'Files that answer the brief, one for each part' },
    write: { type: 'boolean', description: 'Write the proposed files' },
    'dry-run': DRY_RUN,
  },
  exits: ['PRECONDITION', 'NOT_FOUND', 'CONFLICT'],
  output: z.object({
    effect: z.enum(['updated', 'noop', 'would_update', 'would_noop']),
    agent: z.string(),
    written: z.boolean(),
    /** Entries for `vade publish`, valid once the files are committed. */
    entries: z.array(PublishedEntry.pick({ name: true, description: true, load_triggers: true, fact_uri: true })),
    changes: z.array(
      z.object({ file: z.string(), action: z.enum(['create', 'update', 'unchanged', 'removed']), name: z.string() }),
    ),
    /** Each proposed unit: where its text is, what it costs, how it is found, and why it is not listed. */
    units: z.array(
      z.object({
        name: z.string(),
        source: z.object({ path: z.string(), line: z.int(), last_line: z.int() }).nullable(),
        tokens: z.int(),
        description: z.string(),
        intents: z.array(z.string()),
        keywords: z.array(z.string()),
        unlisted_because: z.string().nullable(),
      }),
    ),
    /** Rules in `boot.md` or proposed for it, rules to paste or without room, and units to guarantee by approval. */
    always_on: z.object({
      in_boot: z.array(z.string()),
      to_paste: z.array(z.string()),
      elsewhere: z.array(z.object({ unit: z.string(), rules: z.array(z.string()) })),
      to_guarantee: z.array(z.object({ unit: z.string(), approval: z.string() })),
    }),
    left_out: z.array(z.object({ path: z.string(), line: z.int(), what: z.string(), why: z.string() })),
    proposes_agent: z.boolean(),
    proposes_boot: z.boolean(),
    notices: z.array(z.string()),
    /** The brief, if it was asked for: its Markdown is all that a coding agent needs. */
    brief: z
      .object({ id: z.string(), part: z.int(), parts: z.int(), units: z.array(z.string()), markdown: z.string() })
      .nullable(),
    /** Commands that come next. */
    next: z.array(z.string()),
  }),
  examples: [
    { description: 'See the proposed units', command: 'vade migrate --from AGENTS.md --agent assistant' },
    {
      description: 'Let a coding agent write the words',
      command: 'vade migrate --from AGENTS.md --agent assistant --brief --format text',
    },
    { description: 'Write it', command: 'vade migrate --from AGENTS.md --agent assistant --write' },
  ],
  run: async (args, world) => {
    checkArguments(args);
    const { addressUnits, proposeMigration } = await import('../../../app/migrate.ts');
    const { unitsBrief } = await import('../../../app/migrate/units-brief.ts');
    const out = resolve(world.cwd, args.out);
    const folder = join(out, 'agents', args.agent);
    const org = readTexts(out).get('org.yaml');
    const present = { out, org, agent: readTexts(folder), shared: readTexts(join(out, 'shared')) };
    const { documents, notices: unread } = readDocuments(resolve(world.cwd, args.from));
    const answers = await readAnswers(args.answers, world);
    const proposed = proposeMigration(documents, args.agent, present, args.models, answers, world);
    const proposal = await proposed.catch((error: unknown) => tellFaults(error, world));
    const { migration } = proposal;
    world.progress('history', 90, 100);
    const addressed = await addressUnits(out, org, args.agent, migration.units);
    const writes = args.write && !args['dry-run'];
    if (writes) {
      await heedSignal(world);
      write(folder, migration);
    }
    const notices = [...unread, ...migration.notices, ...addressed.notices];
    const entries = migration.entries.map((it) => {
      const fact_uri = addressed.uris.get(it.name);
      return { ...it, ...(fact_uri !== undefined && { fact_uri }) };
    });
    const proposes = { proposes_agent: migration.agentYaml !== null, proposes_boot: migration.alwaysOn.boot !== null };
    const preview = previewOf(migration, args.agent);
    const command = commandOf(args);
    const next = nextOf(command, writes, args.answers, migration);
    const brief = args.brief
      ? unitsBrief(migration, { ...proposal, agent: args.agent, command, part: args.part })
      : null;
    const { changes } = migration;
    const effect = effectOf(migration, writes);
    const data = { effect, agent: args.agent, written: writes, entries, changes, ...preview, ...proposes, notices };
    const lines = [...linesOf(migration, preview), ...notices, ...hint(writes, next)].map(printable);
    return { data: { ...data, brief, next }, text: brief?.markdown ?? lines.join('\n') };
  },
});

interface Chosen {
  readonly agent: string;
  readonly brief: boolean;
  readonly write: boolean;
  readonly answers: readonly string[];
}

/** @throws argument_invalid */
function checkArguments({ agent, brief, write, answers }: Chosen): void {
  if (!Name.safeParse(agent).success || RESERVED_NAMES.includes(agent))
    throw new VadeError('argument_invalid', `“${agent}” cannot be an agent's name: use [a-z0-9-]`);
  if (!brief || (!write && answers.length === 0)) return;
  const message = '--brief only prints the brief: remove --write and --answers';
  throw new VadeError('argument_invalid', message, { flag: 'brief' });
}

function effectOf({ changes, agentYaml, alwaysOn }: Migration, writes: boolean): string {
  const isSame = agentYaml === null && alwaysOn.boot === null && changes.every((it) => it.action === 'unchanged');
  if (isSame) return writes ? 'noop' : 'would_noop';
  return writes ? 'updated' : 'would_update';
}

/** @throws source_not_found, argument_invalid, answer_invalid, brief_unknown */
async function readAnswers(files: readonly string[], world: World): Promise<WordsAnswer[]> {
  const texts = await Promise.all(files.map((it) => readInput(it, world)));
  return texts.map((it, i) => readUnitsAnswer(it, files[i] ?? ''));
}

/** The existing files of a folder, by name. */
function readTexts(folder: string): Map<string, string> {
  const stat = lstatSync(folder, { throwIfNoEntry: false });
  if (!stat?.isDirectory()) return new Map();
  const files = readdirSync(folder, { withFileTypes: true }).filter((it) => it.isFile());
  return new Map(files.map((it) => [it.name, readFileSync(join(folder, it.name), 'utf8')]));
}

function write(folder: string, { units, changes, agentYaml, alwaysOn }: Migration): void {
  const texts = new Map(units.map((unit) => [unit.file, unit.text]));
  assertOwnWay(join(folder, 'agent.yaml'));
  try {
    mkdirSync(folder, { recursive: true });
    if (agentYaml !== null) createFile(join(folder, 'agent.yaml'), agentYaml);
    if (alwaysOn.boot !== null) replaceFile(join(folder, 'boot.md'), alwaysOn.boot);
    for (const { file, action } of changes) {
      const text = texts.get(file);
      if (action === 'removed') rmSync(join(folder, file));
      else if (action !== 'unchanged' && text !== undefined) replaceFile(join(folder, file), text);
    }
  } catch (error) {
    throw new VadeError('output_failed', `${folder} cannot be written: ${messageOf(error)}`);
  }
}
