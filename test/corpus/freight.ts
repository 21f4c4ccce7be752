import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { loadGarden, loadShared } from '../../compiler/io/bundle/load-garden.ts';
import { openBundle } from '../../compiler/io/bundle/open-bundle.ts';
import { openQueries, type Queries } from '../../compiler/io/models/encoder.ts';
import type { RecallGarden } from '../../compiler/recall/recall-garden.ts';
import { recall } from '../../compiler/recall/recall.ts';
import { RecallRequest } from '../../compiler/schema/api/recall.ts';
import { compileToFolder } from '../support/compiled.ts';
import { repository, type Repository } from '../support/repository.ts';

/** Forty sections of one handbook; triggers, phrases and questions are by three other hands, blind of each other. */
const FOLDER = join(import.meta.dirname, 'freight');
const AGENT = 'office';
const ID = '0e8b9c0a-5f0c-4f0e-9d53-0a3c7f9f2c11';
const NOW = '2026-06-01T00:00:00.000Z';

const read = (file: string): unknown => parse(readFileSync(join(FOLDER, file), 'utf8'));

const Triggers = z.object({
  units: z.record(z.string(), z.object({ intents: z.array(z.string()), keywords: z.array(z.string()) })),
});
const Questions = z.object({
  questions: z.array(
    z.object({ unit: z.string(), kind: z.enum(['plain', 'other', 'situation', 'messy']), ask: z.string() }),
  ),
});

export const questions = (): z.infer<typeof Questions>['questions'] =>
  Questions.parse(read('questions.yaml')).questions;
const unitNames = (): string[] => readdirSync(join(FOLDER, 'sections')).map((it) => it.slice(0, -'.md'.length));

const Choices = z.record(z.string(), z.array(z.string()));

/** Choices of models for each question, blind of the answer and in shuffled order; `none` for none of these. */
export const choices = () => Choices.parse(JSON.parse(readFileSync(join(FOLDER, 'choices.json'), 'utf8')));

export interface Freight {
  readonly garden: RecallGarden;
  readonly queries: Queries;
  /** An answer of so many chunks and candidates. */
  readonly answer: (intent: string, max_chunks: number, candidates: number) => Promise<ReturnType<typeof recall>>;
}

/** The sections with three triggers each, and with eight phrases or none. */
export function freightRepository(isBriefed: boolean): Repository {
  const repo = repository()
    .write('instructions/org.yaml', 'deployment: freight\ncompiler: 0.1.0\n')
    .write(
      `instructions/agents/${AGENT}/agent.yaml`,
      stringify({ agent_id: ID, role: 'Operations', heartbeat_contract: 'month-end' }),
    );
  const triggers = Triggers.parse(read('triggers.yaml')).units;
  for (const name of unitNames()) {
    const text = readFileSync(join(FOLDER, 'sections', `${name}.md`), 'utf8');
    const given = `---\nload_triggers: ${JSON.stringify(triggers[name])}\n`;
    repo.write(`instructions/agents/${AGENT}/${name}.md`, text.replace('---\n', given));
  }
  if (isBriefed) repo.write(`instructions/phrases/${AGENT}.yaml`, readFileSync(join(FOLDER, 'phrases.yaml')));
  repo.commit();
  return repo;
}

/** Compiles the sections. */
export async function freightGarden(isBriefed: boolean): Promise<Freight> {
  const { out, trust } = await compileToFolder(freightRepository(isBriefed).path);
  const bundle = openBundle(out, { pinned: trust.root, now: NOW });
  const garden = loadGarden(bundle, AGENT, loadShared(bundle)).recall;
  const queries = await openQueries(bundle.org.model, 'models');
  const answer = async (intent: string, max_chunks: number, candidates: number) => {
    const request = RecallRequest.parse({ intent, max_chunks, candidates });
    return recall(garden, request, { now: NOW, query: await queries(intent, garden.index), explain: false });
  };
  return { garden, queries, answer };
}
