import { existsSync, readFileSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createFile, replaceFile } from '../../io/files/durable.ts';
import { VERSION } from '../../io/files/version.ts';
import { messageOf, VadeError } from '../../schema/errors.ts';
import { FIRST_AGENT } from '../../schema/source/placeholders.ts';
import { MOST_SKILL_FOLDERS } from '../../schema/source/skill-folders.ts';
import { Name } from '../../schema/uri.ts';
import type { Arguments } from '../../world/flags/flag.ts';
import type { World } from '../../world/world.ts';
import { briefPages } from '../brief-pages.ts';
import type { INIT } from '../flags/trust.ts';
import { ATTRIBUTES, IGNORED, scaffold } from '../scaffold.ts';
import { missingWorkflows } from '../workflow-files.ts';
import { CAPSULES, hostEdits } from './connect-hosts.ts';
import { committed, extrasIn, gitFile, type GitFile, isInRepository } from './existing-files.ts';
import { foundRules } from './found-rules.ts';
import { type Founder, founderOf, foundTrust, KEYS, TRUST_ROOT } from './founder.ts';
import { nextSteps, notesOn } from './next-steps.ts';

/**
 * Starts a handbook in a folder, unless it is a dry run.
 *
 * @returns what was written, and notes about it for people
 * @throws argument_invalid, already_exists, output_failed
 */
export async function startHandbook(args: Arguments<typeof INIT>, world: World) {
  const { dir } = args;
  const folder = resolve(world.cwd, dir);
  const deployment = deploymentOf(folder, args.deployment);
  const admin = await founderOf(args, { deployment, folder }, world);
  const { rules: found, skills } = foundRules(folder);
  const values = { deployment, compiler: VERSION, agentId: uuid(world), startupView: args.continuity };
  const files = scaffold({
    ...values,
    hasRules: found.length + skills.length > 0,
    skills: skills.slice(0, MOST_SKILL_FOLDERS),
  });
  assertFree(dir, folder, [...files.keys(), TRUST_ROOT, ...KEYS]);
  const extras = extrasIn(folder, extraFiles(args.continuity));
  const workflows = args.action === undefined ? null : missingWorkflows(join(folder, 'instructions'), args.action);
  const ofGit = [...gitFile(folder, '.gitignore', IGNORED), ...gitFile(folder, '.gitattributes', ATTRIBUTES)];
  const fromHere = (path: string) => relative(folder, join(workflows?.top ?? folder, path));
  const atTop = [...(workflows?.added ?? [])].map(([path, text]) => [fromHere(path), text] as const);
  const all = new Map([...files, ...extras.added, ...atTop]);
  const changed = [...all.keys(), ...ofGit.flatMap((it) => (it.added.length > 0 ? it.name : []))];
  const toCommit = await committed(folder, changed);
  if (!args['dry-run']) await writeAll(dir, folder, { deployment, admin }, all, ofGit);
  const [ignored = [], attributes = []] = ['.gitignore', '.gitattributes'].map((name) =>
    ofGit.flatMap((it) => (it.name === name && !it.isNew ? it.added : [])),
  );
  const kept = [...extras.kept.map((it) => it.file), ...(workflows?.kept ?? [])];
  const to_add = extras.kept.filter(({ file }) => file.endsWith('.json'));
  const inRepository = isInRepository(folder);
  const started = { dir, inRepository, found, skills, admin, ignored, attributes, toAdd: to_add, action: args.action };
  const written = [...all.keys(), TRUST_ROOT, ...ofGit.flatMap((it) => (it.isNew ? it.name : []))].sort();
  const effect = args['dry-run'] ? 'would_create' : 'created';
  const next = nextSteps(started, toCommit);
  return {
    data: { effect, dir, deployment, admin, written, kept, to_add, ignored, attributes, found, skills, next },
    notes: notesOn(started),
  };
}

/** @throws argument_invalid */
function deploymentOf(folder: string, given: string | undefined): string {
  const plain = basename(folder)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  const deployment = given ?? plain;
  if (Name.safeParse(deployment).success) return deployment;
  throw new VadeError('argument_invalid', `“${deployment}” cannot name a deployment; give --deployment`);
}

/** @throws already_exists */
function assertFree(dir: string, folder: string, paths: readonly string[]): void {
  const taken = paths.filter((path) => existsSync(join(folder, path)));
  if (taken.length === 0) return;
  const suggestion = 'vade lint checks the existing handbook; vade init --dir <folder> starts another';
  throw new VadeError('already_exists', `${dir} already has ${taken.join(', ')}`, { suggestion });
}

/** The files of a host for the first agent, those of an editor, and the pages for authors. */
function extraFiles(keepsCapsules: boolean): Iterable<readonly [string, string]> {
  const capsules = keepsCapsules ? CAPSULES : null;
  const session = { agent: FIRST_AGENT, bundle: null, trust: null, capsules, subagents: [] };
  const hostFiles = [...hostEdits(['claude-code'], session)].map(([file, edit]) => [file, edit('')] as const);
  return [...hostFiles, ...editorFiles(), ...briefPages()];
}

async function writeAll(
  dir: string,
  folder: string,
  founder: Founder,
  files: ReadonlyMap<string, string>,
  ofGit: readonly GitFile[],
): Promise<void> {
  try {
    for (const [path, text] of files) createFile(join(folder, path), text, { folders: true });
    createFile(join(folder, TRUST_ROOT), await foundTrust(folder, founder), { folders: true });
    for (const { name, text } of ofGit) replaceFile(join(folder, name), text);
  } catch (error) {
    throw new VadeError('output_failed', `${dir} cannot be written: ${messageOf(error)}`);
  }
}

function uuid(world: World): string {
  const bytes = world.random(16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** Relative to the sources, and relative to the build. */
const FOLDERS = ['../../schema/json', '../../../../compiler/schema/json'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
);

/** The copies are those of the compiler that `org.yaml` pins, so they are committed beside it. */
const COPIES = '.vscode/vademecum';

const SCHEMAS: Readonly<Record<string, string>> = {
  'org.schema.json': 'instructions/org.yaml',
  'agent.schema.json': 'instructions/agents/*/agent.yaml',
  'probes.schema.json': 'instructions/probes/*.yaml',
  'phrases.schema.json': 'instructions/phrases/*.yaml',
};

/**
 * Files, by path, that an editor with yaml-language-server needs to check the sources as they are typed.
 *
 * @throws source_not_found
 */
function editorFiles(): ReadonlyMap<string, string> {
  const folder = FOLDERS.find((it) => existsSync(join(it, 'org.schema.json')));
  if (folder === undefined) throw new VadeError('source_not_found', 'the JSON Schemas of the sources are missing');
  const names = Object.keys(SCHEMAS);
  const settings = Object.fromEntries(names.map((name) => [`./${COPIES}/${name}`, SCHEMAS[name]]));
  return new Map([
    ...names.map((name) => [`${COPIES}/${name}`, readFileSync(join(folder, name), 'utf8')] as const),
    ['.vscode/settings.json', `${JSON.stringify({ 'yaml.schemas': settings }, null, 2)}\n`],
  ]);
}
