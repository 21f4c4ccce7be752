import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { UnitsAnswer } from '../../compiler/schema/source/brief-answer.ts';
import { vade } from '../support/cli.ts';
import { compileRepository, compileToFolder, realGate } from '../support/compiled.ts';
import { repository, type Repository } from '../support/repository.ts';

const FOLDER = join(import.meta.dirname, 'strangers');
const AGENT = 'helper';

/** A question, with exact words of the sections any of which answers it. */
const Question = z.strictObject({
  ask: z.string(),
  answer: z.string(),
  also: z.array(z.string()).default([]),
  lang: z.literal('en').optional(),
});
const Questions = z.record(z.string(), z.array(Question));

/** One source as its owner would have it after a migration. */
export interface Stranger {
  readonly name: string;
  readonly units: number;
  readonly listed: number;
  /** Findings of lint on what the migration wrote. */
  readonly linted: number;
  /** Findings of what the author's files leave unsaid: limits, or how work ends. */
  readonly unsaid: number;
  /** Blind probes that pass, and all of them; none were written for most sources. */
  readonly probes: { readonly passing: number; readonly all: number };
  /** Whether every gate passes. */
  readonly compiles: boolean;
}

/** Sources of skills alone: these stay where they are, and no migration reads them. */
const SKILLS: ReadonlySet<string> = new Set(['ant-design-x', 'cyclegen', 'tanstack-db']);

const ALL = Questions.parse(parse(readFileSync(join(FOLDER, 'questions.yaml'), 'utf8')));

export const STRANGERS = Object.fromEntries(Object.entries(ALL).filter(([name]) => !SKILLS.has(name)));

/** Rules about what no section says, which a migration cannot write. */
const UNSAID: ReadonlySet<string> = new Set(['agent_limits_missing', 'agent_wrap_up_missing']);

/** Folder of the answers to the briefs of a source, part by part, by writers who did not see the questions. */
const folderOf = (name: string) => join(FOLDER, 'briefed', name);

export const isBriefed = (name: string): boolean => existsSync(folderOf(name));

const briefedFiles = (name: string, kind: 'words' | 'phrases' | 'probes'): string[] =>
  readdirSync(folderOf(name))
    .filter((it) => it.startsWith(kind))
    .sort()
    .map((it) => join(folderOf(name), it));

const Sentences = z.record(z.string(), z.array(z.string()));

const sentencesOf = (name: string, kind: 'phrases' | 'probes') =>
  briefedFiles(name, kind).flatMap((it) => Object.entries(Sentences.parse(JSON.parse(readFileSync(it, 'utf8')))));

/** Blind probes, by the names that the units have now. */
const probesOf = (name: string) =>
  sentencesOf(name, 'probes').flatMap(([unit, intents]) => intents.map((intent) => ({ intent, required: [unit] })));

/** Phrases by the name that a unit has now; they were written for the one that it was proposed with. */
function phrasesOf(name: string): Record<string, { phrases: string[] }> {
  const words = briefedFiles(name, 'words').map((it) => UnitsAnswer.parse(JSON.parse(readFileSync(it, 'utf8'))));
  const named = new Map(words.flatMap(({ units }) => Object.entries(units).map(([it, said]) => [it, said.name ?? it])));
  return Object.fromEntries(sentencesOf(name, 'phrases').map(([it, phrases]) => [named.get(it) ?? it, { phrases }]));
}

/** A source as `vade migrate` writes it; with the answer to its brief, phrases among it, or without. */
export async function strangerRepository(name: string, briefed: boolean): Promise<Repository> {
  const repo = await migrated(name, briefed);
  return briefed ? withPhrases(repo, name) : repo;
}

function withPhrases(repo: Repository, name: string): Repository {
  repo.write(`instructions/phrases/${AGENT}.yaml`, stringify({ by: 'a model', units: phrasesOf(name) }));
  repo.commit('briefed');
  return repo;
}

/** Lints and compiles a source. */
export async function compileStranger(name: string, briefed: boolean): Promise<Stranger> {
  const repo = await migrated(name, briefed);
  const { faults } = (await vade(['lint'], repo.path)).envelope().data as { faults: { rule: string }[] };
  const unsaid = faults.filter(({ rule }) => UNSAID.has(rule)).length;
  if (briefed) withPhrases(repo, name);
  const probes = briefed ? probesOf(name) : [];
  if (probes.length > 0) repo.write(`instructions/probes/${AGENT}.yaml`, stringify({ probes })).commit('probes');
  const gate = await realGate();
  const { bundle, faults: found } = await compileRepository(repo.path, { over: { gate } });
  const failing = found.filter(({ rule }) => rule === 'probe_fails').length;
  const { compiled } = await compileToFolder(repo.path, { over: { gate: { ...gate, skip: true } } });
  const [listing] = compiled.listed;
  return {
    name,
    units: listing?.units ?? 0,
    listed: listing?.listed ?? 0,
    linted: faults.length - unsaid,
    unsaid,
    probes: { passing: probes.length - failing, all: probes.length },
    compiles: bundle !== null,
  };
}

async function migrated(name: string, briefed: boolean): Promise<Repository> {
  const repo = repository().write('instructions/org.yaml', 'deployment: acme\ncompiler: 0.1.0\n');
  const said = briefed ? briefedFiles(name, 'words').flatMap((it) => ['--answers', it]) : [];
  const ran = await vade(['migrate', '--from', join(FOLDER, name), '--agent', AGENT, ...said, '--write'], repo.path);
  if (ran.code !== 0) throw new Error(ran.stdout + ran.stderr);
  repo.commit('migrated');
  return repo;
}
