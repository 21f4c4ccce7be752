import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import picomatch from 'picomatch';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { vade } from '../../../support/cli.ts';
import { tempFolder } from '../../../support/folder.ts';
import { repository, type Repository } from '../../../support/repository.ts';
import { vadeOnPath } from '../../../support/vade-on-path.ts';

/** A project whose coding agents have instructions already. */
function projectWith(files: Readonly<Record<string, string>>): Repository {
  const repo = repository();
  for (const [path, text] of Object.entries(files)) repo.write(path, text);
  return repo;
}

/** `vade init` alone, in a project. */
async function initIn(repo: Repository) {
  const ran = await vade(['init', '--deployment', 'acme', '--admin', 'acme/human/ada'], repo.path);
  expect([ran.code, ran.stderr]).toEqual([0, '']);
  return ran.envelope().data as Record<'found' | 'ignored' | 'kept' | 'next' | 'skills' | 'written', string[]> & {
    to_add: { file: string; text: string }[];
  };
}

const RULES = {
  'AGENTS.md':
    '# Work\n\n## Branches\n\nBranches are named by their ticket, in small letters, and live a week at most; the older ones are removed.\n\n## Pushing\n\nRun the linter and the tests before a push, and wait for the checks before somebody is asked for a review.\n',
  'CLAUDE.md': '@AGENTS.md\n',
  '.cursor/rules/ui/forms.mdc': '# Forms\n\nA form has labels.\n',
  '.cursor/mcp.json': '{}\n',
  '.github/copilot-instructions.md': '# Review\n\nReview small changes.\n',
  '.claude/skills/pdf/SKILL.md': '---\nname: pdf\ndescription: Tables of a PDF\n---\n\nUse pdfplumber.\n',
};

describe('vade init in a project', () => {
  test('folders of skills beyond those that agent.yaml takes are told, not dropped in silence', async () => {
    const many = Array.from({ length: 65 }, (_, i) => [`plugins/p${i}/skills/s/SKILL.md`, '# Soup\n'] as const);
    const repo = projectWith(Object.fromEntries(many));
    const ran = await vade(
      ['init', '--deployment', 'acme', '--admin', 'acme/human/ada', '--format', 'text'],
      repo.path,
    );
    expect(ran.stdout).toContain('only the first 64 of these folders');
    const named = readFileSync(join(repo.path, 'instructions/agents/assistant/agent.yaml'), 'utf8');
    expect(named.match(/^ {2}- "plugins/gm)).toHaveLength(64);
  });

  test('what the project tells its coding agents is found, and one command migrates all of it, and the old files stay for now', async () => {
    const { found, skills, next } = await initIn(projectWith(RULES));
    expect(found).toEqual(['AGENTS.md', '.cursor/rules', '.github/copilot-instructions.md']);
    expect(skills).toEqual(['.claude/skills']);
    const migrations = next.filter((it) => it.startsWith('vade migrate'));
    expect(migrations).toEqual([
      `vade migrate ${found.map((it) => `--from ${it} `).join('')}--agent assistant --write`,
    ]);
    expect(next[next.indexOf(migrations[0] ?? '') + 1]).toMatch(/^# .* must stay .* boot\.md /);
  });

  test.each([
    ['the name of another file', 'CLAUDE.md', 'AGENTS.md\n'],
    ['nothing', 'AGENTS.md', '\n'],
    ['rules of others, no file of Markdown', '.cursor/rules/notes.txt', 'Text.\n'],
    ['a folder called skills without a skill', 'skills/cooking/soup.md', '# Soup\n'],
  ])('a file that has %s is no instruction to migrate', async (_what, path, text) => {
    expect((await initIn(projectWith({ [path]: text }))).found).toEqual([]);
  });

  test('a link is not followed: what it names is found itself, or is not of this project', async () => {
    const repo = projectWith({ 'AGENTS.md': RULES['AGENTS.md'] });
    symlinkSync('AGENTS.md', join(repo.path, 'CLAUDE.md'));
    symlinkSync('/etc', join(repo.path, 'skills'));
    expect((await initIn(repo)).found).toEqual(['AGENTS.md']);
  });

  test('the skill that vade init writes itself is none of the project', async () => {
    const own = '.claude/skills/vade-briefs/SKILL.md';
    const repo = projectWith({});
    await initIn(repo);
    const text = readFileSync(join(repo.path, own), 'utf8');
    expect((await initIn(projectWith({ [own]: text }))).skills).toEqual([]);
  });

  test('beside rules of the project there is one unit of vade init, which comes after those that fit', async () => {
    const repo = projectWith({ 'AGENTS.md': RULES['AGENTS.md'] });
    await initIn(repo);
    expect(readdirSync(join(repo.path, 'instructions/agents/assistant'))).toEqual(['agent.yaml', 'wrap-up.md']);
    await vade(['migrate', '--from', 'AGENTS.md', '--agent', 'assistant', '--write'], repo.path);
    repo.commit('migrated');
    expect((await vade(['compile', '--dev'], repo.path)).code).toBe(0);
    const intent = 'I finished my change, what has to run before I push';
    const ran = await vade(['recall', '--dev', '--agent', 'assistant', '--intent', intent], repo.path);
    expect((ran.envelope().data['chunks'] as { name: string }[])[0]?.name).toBe('pushing');
  });

  test('files of one name in two folders are found, and the next steps migrate both: neither replaces the other', async () => {
    const sdk =
      '# SDK\n\n## Snapshots\n\nRegenerate the snapshots after a change of the client, and read the difference.\n';
    const repo = projectWith({
      'AGENTS.md': RULES['AGENTS.md'],
      'sdk/AGENTS.md': sdk,
      '.cursorrules': RULES['.cursor/rules/ui/forms.mdc'],
    });
    const { found, next } = await initIn(repo);
    expect(found).toEqual(['.cursorrules', 'AGENTS.md', 'sdk/AGENTS.md']);
    const command = next.find((it) => it.startsWith('vade migrate')) ?? '';
    expect((await vade(command.split(' ').slice(1), repo.path)).code).toBe(0);
    const units = readdirSync(join(repo.path, 'instructions/agents/assistant'));
    expect(units).toEqual(expect.arrayContaining(['branches.md', 'pushing.md', 'snapshots.md']));
    const text = readFileSync(join(repo.path, 'instructions/agents/assistant/snapshots.md'), 'utf8');
    expect(text).toContain('# migrated from sdk/AGENTS.md');
  });

  test('a .gitignore that is there gets the missing lines, and the answer lists them', async () => {
    const repo = projectWith({ '.gitignore': 'node_modules\n/bundle' });
    const { ignored, written, kept } = await initIn(repo);
    expect([ignored.includes('/bundle/'), ignored.includes('/.vade/')]).toEqual([false, true]);
    expect([...written, ...kept].includes('.gitignore')).toBe(false);
    const text = readFileSync(join(repo.path, '.gitignore'), 'utf8');
    expect(text).toBe(`node_modules\n/bundle\n${ignored.join('\n')}\n`);
  });

  test('git ignores keys, key files and audits beside the handbook', async () => {
    const repo = repository();
    await initIn(repo);
    const files = ['new-signing-key.pem', 'backup.db', 'backup.db-wal', 'keys.json', 'audit.db'];
    for (const file of files) repo.write(file, 'secret\n');
    expect(repo.git('status', '--porcelain', '--', ...files)).toBe('');
  });

  test('what a present file of a host or an editor needs is printed', async () => {
    const present = ['.claude/settings.json', '.mcp.json', '.vscode/settings.json'];
    const repo = projectWith(Object.fromEntries(present.map((it) => [it, '{}\n'])));
    const { to_add, kept } = await initIn(repo);
    expect([to_add.map((it) => it.file), kept]).toEqual([present, present]);
    for (const { text } of to_add) expect(Object.keys(JSON.parse(text) as object)).toHaveLength(1);
  });

  test('settings with a comment are left as they are, and what they need is printed', async () => {
    const repo = projectWith({ '.claude/settings.json': '{} // mine\n' });
    const { to_add } = await initIn(repo);
    expect(to_add.map((it) => it.file)).toEqual(['.claude/settings.json']);
    expect(readFileSync(join(repo.path, '.claude/settings.json'), 'utf8')).toBe('{} // mine\n');
  });

  test('an editor is given schemas that are in the project, and that accept its files', async () => {
    const repo = repository();
    await initIn(repo);
    const at = (path: string) => readFileSync(join(repo.path, path), 'utf8');
    const settings = JSON.parse(at('.vscode/settings.json')) as { 'yaml.schemas': Record<string, string> };
    const schemas = Object.entries(settings['yaml.schemas']);
    expect(schemas.map(([, files]) => files)).toContain('instructions/org.yaml');
    for (const [schema, files] of schemas) {
      const accepts = new Ajv2020({ strict: false, validateFormats: false }).compile(JSON.parse(at(schema)) as object);
      const sources = repo.git('ls-files', '--others', 'instructions').split('\n');
      for (const file of sources.filter((it) => picomatch.isMatch(it, files)))
        expect([file, accepts(parse(at(file)))]).toEqual([file, true]);
    }
  });

  test('in a repository that is there no other one is made, and only the files of vade init are committed', async () => {
    const { next } = await initIn(projectWith({ '.gitignore': '.vscode/\n', '.claude/own.md': 'Mine.\n' }));
    expect(next.filter((it) => /^cd |git init/.test(it))).toEqual([]);
    const files = '.claude/settings.json .claude/skills .gitattributes .gitignore .mcp.json instructions';
    expect(next.filter((it) => it.startsWith('git '))).toEqual([
      `git add ${files} && git commit -m "Start the handbook" ${files}`,
    ]);
  });
});

const run = promisify(execFile);
const GIT = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
const WHO = { GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'a@example.com' };

/** Runs the next steps as a person would type them; returns what git still sees. */
async function follow(next: readonly string[], cwd: string, handbook: string): Promise<string> {
  const committer = { GIT_COMMITTER_NAME: 'Ada', GIT_COMMITTER_EMAIL: 'a@example.com' };
  const env = { ...GIT, ...WHO, ...committer, PATH: vadeOnPath(), HOME: cwd };
  await run('sh', ['-euc', next.join('\n')], { cwd, env });
  expect(existsSync(join(handbook, 'bundle/current'))).toBe(true);
  return (await run('git', ['status', '--porcelain'], { cwd: handbook, env })).stdout;
}

describe('README: the next steps of vade init work', () => {
  test.each(['handbook', 'Our Handbook'])('the next steps of vade init work in a folder called “%s”', async (dir) => {
    const folder = tempFolder();
    const started = await vade(['init', '--dir', dir], folder, { ...GIT, ...WHO });
    const next = started.envelope().data['next'] as string[];
    expect(next.at(-1)).toMatch(/^vade recall /);
    expect(await follow(next, folder, join(folder, dir))).toBe('');
  });

  test('the next steps of vade init work in a project with instructions of its own', async () => {
    const repo = projectWith({ 'AGENTS.md': RULES['AGENTS.md'], '.gitignore': 'node_modules\n' });
    repo.commit('the project');
    const { next } = await initIn(repo);
    expect(await follow(next, repo.path, repo.path)).toBe('');
  });
});
