import { z } from 'zod';
import { MIGRATE } from '../../../app/flags/sources.ts';
import { readUnitsAnswer, type WordsAnswer } from '../../../brief/read-units-answer.ts';
import { hintLines, proposedLines } from '../../../present/terminal/migration.ts';
import { PublishedEntry } from '../../../schema/api/publication.ts';
import type { World } from '../../../world/world.ts';
import { readInput } from '../../json-input.ts';
import { defineCommand } from '../../registry.ts';

export const migrateCommand = defineCommand({
  path: 'migrate',
  description: 'Split existing Markdown into proposed units; a preview unless --write is given',
  danger: 'mutating',
  flags: MIGRATE,
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
    /** The proposed `boot.md`, sections that may belong there, and units to guarantee by approval. */
    always_on: z.object({
      boot: z.string().nullable(),
      unanswered: z.array(z.object({ path: z.string(), line: z.int(), title: z.string() })),
      to_guarantee: z.array(z.object({ unit: z.string(), approval: z.string() })),
    }),
    /** Triggers of answers that the coverage gate refuses, as phrases. */
    phrases: z.array(z.object({ unit: z.string(), phrases: z.array(z.string()) })),
    left_out: z.array(z.object({ path: z.string(), line: z.int(), what: z.string(), why: z.string() })),
    proposes_agent: z.boolean(),
    /** The language that a line added to the existing `agent.yaml` declares. */
    declares_language: z.string().nullable(),
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
    const { migrateDocuments } = await import('../../../app/migrate-documents/migrate-documents.ts');
    const data = await migrateDocuments(args, () => readAnswers(args.answers, world), world);
    const { brief, notices, next, written } = data;
    const lines = [...proposedLines(data), ...notices, ...hintLines(written, next)];
    return { data, text: brief?.markdown ?? lines };
  },
});

/** @throws source_not_found, argument_invalid, answer_invalid, brief_unknown */
async function readAnswers(files: readonly string[], world: World): Promise<WordsAnswer[]> {
  const texts = await Promise.all(files.map((it) => readInput(it, world)));
  return texts.map((it, i) => readUnitsAnswer(it, files[i] ?? ''));
}
