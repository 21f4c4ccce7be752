import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { loadGarden, loadShared } from '../../compiler/io/bundle/load-garden.ts';
import { openBundle } from '../../compiler/io/bundle/open-bundle.ts';
import { openQueries } from '../../compiler/io/models/encoder.ts';
import { createRanking } from '../../compiler/quality/placement.ts';
import type { RecallGarden } from '../../compiler/recall/recall-garden.ts';
import { recall } from '../../compiler/recall/recall.ts';
import { RecallRequest } from '../../compiler/schema/api/recall.ts';
import { compileToFolder } from '../support/compiled.ts';
import { repository } from '../support/repository.ts';

/** Forty sections of one handbook; triggers, phrases and questions are by three other hands, blind of each other. */
const FOLDER = join(import.meta.dirname, 'freight');
const AGENT = 'office';
const NOW = '2026-06-01T00:00:00.000Z';

const read = (file: string): unknown => parse(readFileSync(join(FOLDER, file), 'utf8'));

const Triggers = z.object({
  units: z.record(z.string(), z.object({ intents: z.array(z.string()), keywords: z.array(z.string()) })),
});
const Phrases = z.object({ by: z.string(), units: z.record(z.string(), z.object({ phrases: z.array(z.string()) })) });
const Questions = z.object({
  questions: z.array(
    z.object({ unit: z.string(), kind: z.enum(['plain', 'other', 'situation', 'messy']), ask: z.string() }),
  ),
});

export type Question = z.infer<typeof Questions>['questions'][number];
export const questions = (): Question[] => Questions.parse(read('questions.yaml')).questions;
export const unitNames = (): string[] => readdirSync(join(FOLDER, 'sections')).map((it) => it.slice(0, -'.md'.length));

const Choices = z.record(z.string(), z.array(z.string()));

/** Choices of models for each question, blind of the answer and in shuffled order; `none` for none of these. */
export const choices = () => Choices.parse(JSON.parse(readFileSync(join(FOLDER, 'choices.json'), 'utf8')));

/** Words that authors gave recall to find a section by. */
export interface Words {
  readonly triggers: boolean;
  /** How many of the eight phrases of each section of `briefed`: the first half of each kind, or all. */
  readonly phrases: 0 | 4 | 8;
  readonly briefed: ReadonlySet<string>;
}

/** The phrases come in pairs of one kind: four of them are the first of each pair. */
const taken = (phrases: readonly string[], count: Words['phrases']) =>
  count === 8 ? phrases : phrases.filter((_, at) => count === 4 && at % 2 === 0);

export interface Freight {
  readonly garden: RecallGarden;
  readonly ranked: (ask: string) => Promise<string[]>;
  /** An answer of so many chunks and candidates. */
  readonly answer: (intent: string, max_chunks: number, candidates: number) => Promise<ReturnType<typeof recall>>;
}

/** Compiles the sections with some of their words. */
export async function freightGarden(words: Words): Promise<Freight> {
  const repo = repository()
    .write('instructions/org.yaml', 'deployment: freight\ncompiler: 0.1.0\n')
    .write(
      `instructions/agents/${AGENT}/agent.yaml`,
      stringify({ agent_id: ID, role: 'Operations', heartbeat_contract: 'month-end' }),
    );
  const triggers = Triggers.parse(read('triggers.yaml')).units;
  for (const name of unitNames()) {
    const text = readFileSync(join(FOLDER, 'sections', `${name}.md`), 'utf8');
    const given = words.triggers ? `---\nload_triggers: ${JSON.stringify(triggers[name])}\n` : '---\n';
    repo.write(`instructions/agents/${AGENT}/${name}.md`, text.replace('---\n', given));
  }
  const { by, units } = Phrases.parse(read('phrases.yaml'));
  const written = new Map(
    Object.entries(units)
      .filter(([name]) => words.briefed.has(name))
      .map(([name, { phrases }]) => [name, { phrases: taken(phrases, words.phrases) }]),
  );
  if (words.phrases > 0) {
    repo.write(`instructions/phrases/${AGENT}.yaml`, stringify({ by, units: Object.fromEntries(written) }));
  }
  repo.commit();
  const { out, trust } = await compileToFolder(repo.path);
  const bundle = openBundle(out, { pinned: trust.root, now: NOW });
  const garden = loadGarden(bundle, AGENT, loadShared(bundle)).recall;
  const queries = await openQueries(bundle.org.model, 'models');
  const ranking = createRanking(garden, NOW);
  const ranked = async (ask: string) =>
    ranking(ask, await queries(ask, garden.index)).map((unit) => garden.index.names[unit] ?? '');
  const answer = async (intent: string, max_chunks: number, candidates: number) => {
    const request = RecallRequest.parse({ intent, max_chunks, candidates });
    return recall(garden, request, { now: NOW, query: await queries(intent, garden.index), explain: false });
  };
  return { garden, ranked, answer };
}

const ID = '0e8b9c0a-5f0c-4f0e-9d53-0a3c7f9f2c11';
