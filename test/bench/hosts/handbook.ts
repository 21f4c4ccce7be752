import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadGarden, loadShared } from '../../../compiler/io/bundle/load-garden.ts';
import { openBundle } from '../../../compiler/io/bundle/open-bundle.ts';
import { sha256 } from '../../../compiler/trust/canonical.ts';
import { pinnedRoot } from '../../../compiler/world/trust-keys.ts';
import { vade } from '../../support/cli.ts';
import { corpusOf } from '../../support/corpus.ts';
import { tempFolder } from '../../support/folder.ts';
import { repository, type Repository } from '../../support/repository.ts';
import { worldIn } from '../../support/world.ts';

/** The skills whose sections fill a handbook. */
export const SKILLS = corpusOf('skills');

const GROUPS = ['backend-development', 'cicd-automation'];

const SHARED = 'instructions/shared';
const OWN = 'instructions/agents/support';

/** The shared units of the smallest handbook. */
const FEWEST = ['escalation', 'failing-tools', 'heartbeat-contract', 'secrets-and-data'];

/** The same `vade mcp` for every host. */
const MCP = { mcpServers: { vademecum: { command: 'vade', args: ['mcp', '--dev', '--agent', 'support'] } } };

/**
 * A project with the shipped handbook of `support`, cut or filled to so many units, compiled, with the hooks and the
 * server of Claude Code.
 *
 * @throws if a command fails
 */
export async function handbook(units: number): Promise<Repository> {
  const repo = repository().copy('instructions/org.yaml', 'instructions/org.yaml');
  repo
    .copy(OWN, OWN)
    .copy(SHARED, SHARED)
    .copy('instructions/phrases/support.yaml', 'instructions/phrases/support.yaml');
  const shipped = unitsIn(repo.path).length;
  if (units < shipped) cut(repo);
  else {
    repo.copy('instructions/phrases/shared.yaml', 'instructions/phrases/shared.yaml');
    await fill(repo, units - shipped);
  }
  repo.write('.mcp.json', JSON.stringify(MCP)).write('.gitignore', '/.vade/\n/bundle/\n/audit.*\n').commit('handbook');
  await run(['connect', '--agent', 'support', '--yes'], repo.path);
  await run(['compile', '--dev'], repo.path);
  return repo;
}

/** The units of a compiled handbook as they are recalled, and `boot.md`. */
export function compiledUnits({ path }: Repository) {
  const at = worldIn(path, new Date());
  const pinned = pinnedRoot({ trust: undefined, dev: true }, at);
  const bundle = openBundle(join(path, 'bundle'), { pinned, now: at.now().toISOString() });
  const { facts } = loadGarden(bundle, 'support', loadShared(bundle)).recall;
  return { facts, boot: readFileSync(join(path, OWN, 'boot.md'), 'utf8') };
}

function unitsIn(path: string): string[] {
  const names = [SHARED, OWN].flatMap((it) => readdirSync(join(path, it)));
  return names.filter((it) => it.endsWith('.md') && it !== 'boot.md').map((it) => it.slice(0, -'.md'.length));
}

/** Removes shared units, and links to them. */
function cut(repo: Repository): void {
  const names = readdirSync(join(repo.path, SHARED)).map((it) => it.slice(0, -'.md'.length));
  for (const name of names) if (!FEWEST.includes(name)) repo.remove(`${SHARED}/${name}.md`);
  change(repo, `${OWN}/agent.yaml`, (text) => text.replace(/^shared: .*$/m, `shared: [${FEWEST.join(', ')}]`));
  const left = new Set(unitsIn(repo.path));
  for (const folder of [SHARED, OWN])
    for (const file of readdirSync(join(repo.path, folder)))
      if (file.endsWith('.md')) change(repo, `${folder}/${file}`, (text) => withoutLinks(text, left));
}

function withoutLinks(text: string, left: ReadonlySet<string>): string {
  return text
    .replace(/^related: \[(.*)\]\n/m, (_, listed: string) => {
      const names = listed.split(', ').filter((it) => left.has(it));
      return names.length > 0 ? `related: [${names.join(', ')}]\n` : '';
    })
    .replace(/\[([^\]]+)\]\(([\w/.-]+)\.md\)/g, (link, words: string, path: string) =>
      left.has(path.split('/').at(-1) ?? '') ? link : words,
    );
}

function change({ path }: Repository, file: string, by: (text: string) => string): void {
  writeFileSync(join(path, file), by(readFileSync(join(path, file), 'utf8')));
}

/** Adds sections in the order of their names' digests, so that no hand has chosen them. */
async function fill(repo: Repository, missing: number): Promise<void> {
  const folder = await migratedSections();
  const own = new Set(unitsIn(repo.path).map((it) => `${it}.md`));
  const free = readdirSync(folder).filter((it) => it.endsWith('.md') && it !== 'boot.md' && !own.has(it));
  const chosen = free.sort((a, b) => (sha256(a) < sha256(b) ? -1 : 1)).slice(0, missing);
  if (chosen.length < missing) throw new Error(`there are ${chosen.length} sections, not ${missing}`);
  for (const file of chosen) repo.copy(join(folder, file), `${OWN}/${file}`);
}

/** The folder of the sections as migrated; made once a run. */
async function migratedSections(): Promise<string> {
  const folder = join(process.env['VADE_TEST_SHARED'] ?? tempFolder(), 'sections');
  if (existsSync(folder)) return folder;
  const repo = repository().write('instructions/org.yaml', 'deployment: corpus\ncompiler: 0.1.0\n');
  // as documents, since a migration leaves skills where they are
  for (const group of GROUPS)
    for (const name of readdirSync(join(SKILLS.path, group)))
      repo.write(`docs/${name}.md`, textOf(join(SKILLS.path, group, name, 'SKILL.md')));
  await run(['migrate', '--from', 'docs', '--agent', 'sections', '--write'], repo.path);
  cpSync(join(repo.path, 'instructions/agents/sections'), folder, { recursive: true });
  return folder;
}

const textOf = (skill: string) => readFileSync(skill, 'utf8').replace(/^---\n[^]*?\n---\n/, '');

async function run(args: readonly string[], cwd: string): Promise<void> {
  const { code, stdout } = await vade(args, cwd);
  if (code !== 0) throw new Error(`vade ${args.join(' ')}: ${stdout.slice(0, 2000)}`);
}
