import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { runHook } from '../../compiler/app/hook/run-hook.ts';
import { vade } from '../support/cli.ts';
import { repository, type Repository } from '../support/repository.ts';
import { worldIn } from '../support/world.ts';
import { skills, SKILLS } from './skills.ts';

const FOLDER = join(import.meta.dirname, 'skills');
const BRIEFED = join(FOLDER, 'briefed');

/** The agent that `init` makes. */
export const AGENT = 'assistant';

const Prompt = z.strictObject({ right: z.string(), prompt: z.string() });
const Prompts = z.strictObject({ skills: z.array(Prompt), none: z.array(z.string()) });
/** Prompts that name no skill, with the one that helps, and such that no skill answers. */
const prompts = Prompts.parse(parse(readFileSync(join(FOLDER, 'in-place-prompts.yaml'), 'utf8')));

export const NONE = prompts.none;
export const RIGHT = prompts.skills.map(({ right, prompt }) => ({ name: basename(right), folder: right, prompt }));

/** A repository whose skills lie where its host reads them, and nothing else. */
export function skillsRepository(): Repository {
  const repo = repository().write('.mcp.json', '{"mcpServers":{}}');
  for (const { folder } of skills()) repo.copy(join(SKILLS, folder), `.claude/skills/${basename(folder)}`);
  repo.commit('the skills that we have');
  return repo;
}

/** Two commands, which is all that a user of such a repository runs, and the commit between them. */
export async function startHandbook(repo: Repository): Promise<void> {
  repo.remove('.mcp.json');
  await ran(['init', '--deployment', 'corpus', '--no-admin'], repo);
  repo.commit('a handbook');
  await ran(['compile', '--dev'], repo);
}

export const isBriefed = (): boolean => existsSync(BRIEFED);

/** Takes the answers of a phrases brief, by a writer who saw the brief alone. */
export async function takeBrief(repo: Repository): Promise<void> {
  for (const file of readdirSync(BRIEFED).sort()) await ran(['brief', 'take', '--file', join(BRIEFED, file)], repo);
  repo.commit('phrases');
  await compileAnyway(repo);
}

/** Compiles a repository; past the gate of coverage where that stops it, which is said. */
export async function compileAnyway(repo: Repository): Promise<void> {
  const { code } = await vade(['compile', '--dev'], repo.path);
  if (code === 0) return;
  process.stdout.write('  does not compile at once\n');
  await ran(['compile', '--dev', '--skip-coverage-gate'], repo);
}

/** @throws if a command fails */
export async function ran(args: readonly string[], { path }: Repository): Promise<Record<string, unknown>> {
  const { code, stdout, stderr, envelope } = await vade(args, path);
  if (code !== 0) throw new Error(`vade ${args.join(' ')}: ${stdout.slice(0, 2000)}${stderr.slice(-2000)}`);
  return envelope().data;
}

/** The context that a model gets beside a prompt, in a session of its own; empty for none. */
export async function hookContext({ path }: Repository, prompt: string): Promise<string> {
  const event = { hook_event_name: 'UserPromptSubmit', session_id: randomUUID(), cwd: path, prompt };
  const flags = { agent: AGENT, host: 'claude-code', subagent: [], intents: 'digest', continuity: undefined } as const;
  const bundle = { models: '.vade/models', bundle: 'bundle', trust: undefined, dev: true };
  const answer = await runHook({ ...flags, ...bundle }, JSON.stringify(event), worldIn(path, new Date()));
  return answer === '' ? '' : Answer.parse(JSON.parse(answer)).hookSpecificOutput.additionalContext;
}

const Answer = z.object({ hookSpecificOutput: z.object({ additionalContext: z.string() }) });

const GIVEN = /^(?:## |Skill )([a-z0-9-]+) v/gm;
const NAMED = /^- ([a-z0-9-]+): /gm;

const matches = (pattern: RegExp, text: string) => [...text.matchAll(pattern)].map(([, name = '']) => name);

/** Units that a context names with their descriptions. */
export const namesIn = (context: string): string[] => matches(NAMED, context);

export const unitsIn = (context: string): string =>
  [...matches(GIVEN, context).map((it) => `gives ${it}`), ...namesIn(context)].join(', ');

/** Where a unit is in the context of a hook: as text or pointer, among the first three names, a later name. */
export function placeOf(context: string, name: string): 'given' | 'three' | 'named' | 'none' {
  const at = namesIn(context).indexOf(name);
  if (matches(GIVEN, context).includes(name)) return 'given';
  return at < 0 ? 'none' : at < 3 ? 'three' : 'named';
}

export function tally(all: readonly string[]): string {
  const kinds = [...new Set(all)].sort();
  return kinds.map((kind) => `${all.filter((it) => it === kind).length} ${kind}`).join(', ');
}
