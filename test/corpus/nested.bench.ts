import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { RecallResponse } from '../../compiler/schema/api/recall.ts';
import { repository, type Repository } from '../support/repository.ts';
import { AGENT, compileAnyway, ran, tally } from './skills-in-place.ts';

const FOLDER = join(import.meta.dirname, 'nested');

/** A question, the file that is about to change, and exact words of the sections that answer it. */
const Question = z.strictObject({
  ...{ ask: z.string(), edits: z.string().optional(), in: z.string() },
  ...{ answer: z.string(), also: z.array(z.string()).default([]) },
});
const QUESTIONS = z
  .record(z.string(), z.array(Question))
  .parse(parse(readFileSync(join(FOLDER, 'questions.yaml'), 'utf8')));

const print = (line: string) => process.stdout.write(`  ${line}\n`);

test.each(['as migrated', 'briefed'])(
  'nested instructions of three repositories, %s',
  async (how) => {
    for (const [name, questions] of Object.entries(QUESTIONS)) {
      const brief = how === 'briefed' ? join(FOLDER, 'briefed', name) : null;
      if (brief !== null && !existsSync(brief)) continue;
      const repo = await migrated(name, brief);
      const places: string[] = [];
      for (const question of questions) places.push(...(await ask(repo, question)));
      const units = unitsIn(repo);
      const scoped = units.filter(({ text }) => /^files:/m.test(text)).length;
      print(`${name}, ${how}: ${tally(places)}; ${units.length} files, ${scoped} with a scope`);
    }
  },
  20 * 60_000,
);

/** Starts a handbook as a user does who copies each command that `init` prints, with the answers to the brief. */
async function migrated(name: string, brief: string | null): Promise<Repository> {
  const repo = repository();
  repo.copy(join(FOLDER, name), '.').commit('as we have it');
  const { next } = Next.parse(await ran(['init', '--deployment', 'corpus', '--no-admin'], repo));
  const said = brief === null ? [] : readdirSync(brief).flatMap((it) => ['--answers', join(brief, it)]);
  for (const command of next.filter((it) => it.startsWith('vade migrate')))
    await ran(
      [...command.matchAll(/'([^']*)'|\S+/g)]
        .map(([all, own]) => own ?? all)
        .slice(1)
        .concat(said),
      repo,
    );
  repo.commit('a handbook');
  await compileAnyway(repo);
  return repo;
}

const Next = z.object({ next: z.array(z.string()) });

/** Asks as the tool of an agent does: by intent and file, for three texts and eight names. */
async function ask(
  repo: Repository,
  { ask: intent, edits, answer, also }: z.infer<typeof Question>,
): Promise<string[]> {
  const files = edits === undefined ? [] : ['--files', edits];
  const args = ['recall', '--dev', '--agent', AGENT, '--intent', intent, '--candidates', '8', ...files];
  const { chunks, candidates = [] } = RecallResponse.parse(await ran(args, repo));
  // words alone: a rule may lose its emphasis on the way
  const plain = (text: string) => text.replace(/[*_\s]+/g, ' ').toLowerCase();
  const isRight = (text: string) => [answer, ...also].some((it) => plain(text).includes(plain(it)));
  const right = unitsIn(repo).flatMap(({ name, text }) => (isRight(text) ? name : []));
  const at = chunks.findIndex(({ content }) => isRight(content));
  const otherwise = candidates.some(({ name }) => right.includes(name)) ? 'named' : 'not at all';
  const place = at === 0 ? 'first' : at > 0 ? 'among three' : otherwise;
  print(`  ${place}, ${intent.slice(0, 70)}: ${chunks.map(({ name }) => name).join(', ')}; right: ${right.join(', ')}`);
  return right.includes('boot') ? [place, 'in boot.md anyway'] : [place];
}

function unitsIn({ path }: Repository) {
  const folder = join(path, 'instructions/agents', AGENT);
  const files = readdirSync(folder).filter((it) => it.endsWith('.md'));
  return files.map((it) => ({ name: basename(it, '.md'), text: readFileSync(join(folder, it), 'utf8') }));
}
