import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { WordsAnswer } from '../../brief/read-units-answer.ts';
import { writePhrases } from '../../brief/write-answer.ts';
import { createFile, replaceFile } from '../../io/files/durable.ts';
import { readIfThere } from '../../io/files/file.ts';
import { assertOwnWay } from '../../io/files/own-way.ts';
import type { Migration } from '../../migration/propose/proposal.ts';
import { messageOf, VadeError } from '../../schema/errors.ts';
import { typedWord } from '../../schema/shell-word.ts';
import { Agent } from '../../schema/source/agent.ts';
import { Org } from '../../schema/source/org.ts';
import { PhraseSet } from '../../schema/source/phrases.ts';
import { MAX_SENTENCES_BYTES } from '../../schema/source/probe.ts';
import { Name, RESERVED_NAMES } from '../../schema/uri.ts';
import { decodeYaml } from '../../sources/yaml.ts';
import type { Arguments } from '../../world/flags/flag.ts';
import { MODELS } from '../../world/flags/shared.ts';
import { heedSignal } from '../../world/heed-signal.ts';
import { tellFaults } from '../../world/tell-faults.ts';
import type { World } from '../../world/world.ts';
import type { MIGRATE } from '../flags/sources.ts';
import { addressUnits, proposeMigration } from '../migrate.ts';
import { unitsBrief } from '../migrate/units-brief.ts';
import { readDocuments } from './read-documents.ts';

type MigrateFlags = Arguments<typeof MIGRATE>;

/**
 * Proposes units for the documents that the flags name, and writes them if the flags say so.
 *
 * @param readAnswers the answers of the brief, which may be on standard input
 * @throws argument_invalid, source_not_found, request_invalid, sources_invalid, output_failed
 */
export async function migrateDocuments(args: MigrateFlags, readAnswers: () => Promise<WordsAnswer[]>, world: World) {
  checkArguments(args);
  const { agent } = args;
  const out = resolve(world.cwd, args.out);
  const folder = join(out, 'agents', agent);
  const org = readTexts(out).get('org.yaml');
  const [shared, phrases, probes] = ['shared', 'phrases', 'probes'].map((it) => readTexts(join(out, it)));
  const sentences = { phrases: phrases ?? new Map(), probes: probes ?? new Map() };
  const present = { out, org, agent: readTexts(folder), shared: shared ?? new Map(), ...sentences };
  const skills = skillsIn(org, present.agent.get('agent.yaml'));
  const { documents, notices: unread } = readDocuments(args.from, out, skills, world);
  const answers = await readAnswers();
  const proposing = proposeMigration(documents, agent, present, args.models, answers, world);
  const proposal = await proposing.catch((error: unknown) => tellFaults(error, world));
  const { migration } = proposal;
  world.progress('history', 90, 100);
  const addressed = await addressUnits(out, org, agent, migration.units);
  const written = args.write && !args['dry-run'];
  const phrased = phrasesOf(migration, join(out, 'phrases', `${agent}.yaml`), answers);
  if (written) {
    await heedSignal(world);
    write(folder, migration, phrased);
  }
  const command = commandOf(args);
  return {
    effect: effectOf(migration, written),
    agent,
    written,
    entries: addressedEntries(migration, addressed.uris),
    changes: migration.changes,
    ...previewOf(migration, agent),
    phrases: [...migration.phrases].map(([unit, it]) => ({ unit, phrases: [...it.phrases] })),
    proposes_agent: migration.agentYaml !== null && migration.declares === null,
    declares_language: migration.declares,
    proposes_boot: migration.alwaysOn.boot !== null,
    notices: [...unread, ...migration.notices, ...addressed.notices],
    brief: args.brief ? unitsBrief(migration, { ...proposal, agent, command, part: args.part }) : null,
    next: nextOf(command, written, args.answers, migration),
  };
}

/** Folders of skills in place, as the configuration names them. */
function skillsIn(org: string | undefined, agent: string | undefined): string[] {
  const named = decodeYaml(Org, org ?? '', 'org.yaml').value?.skills ?? [];
  return [...named, ...(decodeYaml(Agent, agent ?? '', 'agent.yaml').value?.skills ?? [])];
}

function addressedEntries({ entries }: Migration, uris: ReadonlyMap<string, string>) {
  return entries.map((it) => {
    const fact_uri = uris.get(it.name);
    return { ...it, ...(fact_uri !== undefined && { fact_uri }) };
  });
}

/** @throws argument_invalid */
function checkArguments({ agent, brief, write, answers }: MigrateFlags): void {
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

/** The existing files of a folder, by name. */
function readTexts(folder: string): Map<string, string> {
  const stat = lstatSync(folder, { throwIfNoEntry: false });
  if (!stat?.isDirectory()) return new Map();
  const files = readdirSync(folder, { withFileTypes: true }).filter((it) => it.isFile());
  return new Map(files.map((it) => [it.name, readFileSync(join(folder, it.name), 'utf8')]));
}

/** A file with its new text. */
interface Written {
  readonly path: string;
  readonly text: string;
}

/** The phrase file with the phrases of a proposal; null if it has none. @throws output_failed */
function phrasesOf({ phrases }: Migration, path: string, answers: readonly WordsAnswer[]): Written | null {
  if (phrases.size === 0) return null;
  assertOwnWay(path);
  const before = readIfThere(path, MAX_SENTENCES_BYTES)?.toString('utf8') ?? null;
  const writers = [...new Set(answers.map(({ by }) => by))];
  const by = PhraseSet.shape.by.safeParse(writers.join(', ')).data ?? writers[0] ?? '';
  const written = writePhrases(before, by, phrases);
  if ('text' in written) return { path, text: written.text };
  throw new VadeError('output_failed', `${path} cannot be written: ${written.why}`);
}

function write(
  folder: string,
  { units, changes, agentYaml, declares, alwaysOn }: Migration,
  phrased: Written | null,
): void {
  const texts = new Map(units.map((unit) => [unit.file, unit.text]));
  assertOwnWay(join(folder, 'agent.yaml'));
  try {
    mkdirSync(folder, { recursive: true });
    if (agentYaml !== null) (declares === null ? createFile : replaceFile)(join(folder, 'agent.yaml'), agentYaml);
    if (alwaysOn.boot !== null) replaceFile(join(folder, 'boot.md'), alwaysOn.boot);
    for (const { file, action } of changes) {
      const text = texts.get(file);
      if (action === 'removed') rmSync(join(folder, file));
      else if (action !== 'unchanged' && text !== undefined) replaceFile(join(folder, file), text);
    }
    if (phrased === null) return;
    mkdirSync(dirname(phrased.path), { recursive: true });
    replaceFile(phrased.path, phrased.text);
  } catch (error) {
    throw new VadeError('output_failed', `${folder} cannot be written: ${messageOf(error)}`);
  }
}

/** The command as it was typed, without what it does with the proposal. */
function commandOf({ from, agent, out, models }: Arguments<typeof MIGRATE>): string {
  return [
    `vade migrate ${from.map((it) => `--from ${typedWord(it)} `).join('')}--agent ${agent}`,
    ...(out === 'instructions' ? [] : [`--out ${typedWord(out)}`]),
    ...(models === MODELS.default ? [] : [`--models ${typedWord(models)}`]),
  ].join(' ');
}

/** Steps after a preview: better words, where nobody has given any, then writing. */
function nextOf(command: string, isWritten: boolean, answers: readonly string[], { wordable }: Migration): string[] {
  if (isWritten) return [];
  const said = answers.map((it) => ` --answers ${typedWord(it)}`).join('');
  const brief = answers.length === 0 && wordable.length > 0 ? [`${command} --brief --format text`] : [];
  return [...brief, `${command}${said} --write`];
}

/** A proposal as the command reports it: unit by unit, what became always-on, and what is in no unit. */
function previewOf({ units, alwaysOn, leftOut }: Migration, agent: string) {
  return {
    units: units.map(({ name, source, tokens, description, load_triggers, unlistedBecause }) => ({
      name,
      source: source && { path: source.path, line: source.line, last_line: source.lastLine },
      tokens,
      description,
      intents: [...(load_triggers?.intents ?? [])],
      keywords: [...(load_triggers?.keywords ?? [])],
      unlisted_because: unlistedBecause,
    })),
    always_on: {
      boot: alwaysOn.boot,
      unanswered: alwaysOn.unanswered.map((it) => ({ ...it })),
      to_guarantee: alwaysOn.toGuarantee.map((unit) => ({ unit, approval: approvalFor(unit, agent) })),
    },
    left_out: leftOut.map((it) => ({ ...it })),
  };
}

/** The command by which an administrator approves that a unit comes with every recall (§21.3.3). */
const approvalFor = (unit: string, agent: string) =>
  `vade approve --kind guarantee_load --agent ${agent} --unit ${unit} --key <PEM>`;
