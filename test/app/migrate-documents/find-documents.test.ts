import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { foundRules } from '../../../compiler/app/init/found-rules.ts';
import { findDocuments } from '../../../compiler/app/migrate-documents/find-documents.ts';
import { obeyedAt } from '../../../compiler/capabilities/paths/obeyed.ts';
import { hostFileAt, HOST_FOLDERS } from '../../../compiler/hosts/host-files.ts';
import { tempFolder } from '../../support/folder.ts';

function treeOf(paths: readonly string[]): string {
  const folder = tempFolder();
  for (const path of paths) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), `# Rules\n\nRules of ${path}.\n`);
  }
  return folder;
}

const PARTS = ['a.md', 'rules/deep/b.mdc', 'skills/x/SKILL.md', 'commands/c.md', 'specs/d.md', 'x.json', 'hooks/e.md'];
const SINGLE = [
  ...['AGENTS.md', 'agent.md', 'CLAUDE.local.md', 'GEMINI.md', 'QWEN.md', 'sdk/AGENTS.md', 'sdk/CLAUDE.md', 'IFLOW.md'],
  ...['.cursorrules', '.windsurfrules', '.roorules', '.roorules-code', '.goosehints', '.rules', '.augment-guidelines'],
  ...['.github/copilot-instructions.md', '.github/instructions/a.instructions.md', '.specify/memory/constitution.md'],
  ...['skills/pdf/SKILL.md', 'plugins/tables/SKILL.md', '.mcp.json', '.cursorignore', '.github/prompts/x.prompt.md'],
];
const ALL = [
  ...HOST_FOLDERS.flatMap((folder) => PARTS.flatMap((it) => [`${folder}/${it}`, `packages/a/${folder}/${it}`])),
  ...SINGLE,
];
const PAGES = ['README.md', 'docs/agents.md', 'docs/a.md'];

describe('one table of hosts’ files', () => {
  const project = treeOf([...ALL, ...PAGES, '.github/PULL_REQUEST_TEMPLATE.md', '.venv/x.md', 'src/x.ts']);
  const { names, hidden, unread } = findDocuments(project);

  test('what migrate finds by itself, the check of an agent’s work guards; pages for people are not guarded', () => {
    expect(names.filter((it) => obeyedAt(it) === null)).toEqual(PAGES.sort());
  });

  test('migrate finds the rules and skills of every host, and names what else has Markdown', () => {
    const wanted = ALL.filter((it) => ['rules', 'skills'].includes(hostFileAt(it)?.kind ?? ''));
    expect(names).toEqual([...wanted, ...PAGES].sort());
    expect(hidden).toEqual(['.venv']);
    const others = HOST_FOLDERS.flatMap((it) => ['commands', 'hooks', 'specs'].map((part) => `${it}/${part}`));
    expect(unread).toEqual(expect.arrayContaining(others));
  });

  test('vade init names every place of rules that migrate reads, and each place once', () => {
    const { rules } = foundRules(project);
    const places = names.flatMap((it) => (hostFileAt(it)?.kind === 'rules' ? (hostFileAt(it)?.place ?? []) : []));
    expect([...rules].sort()).toEqual([...new Set(places)].sort());
    for (const place of ['.cursorrules', '.windsurfrules', '.clinerules', '.kiro/rules', 'sdk/AGENTS.md'])
      expect(rules).toContain(place);
  });
});

test('rules of packages that others wrote, and of linked folders, are none of a project', () => {
  const project = treeOf(['vendor/x/AGENTS.md', 'node_modules/x/AGENTS.md', 'venv/lib/x/CLAUDE.md', 'other/CLAUDE.md']);
  symlinkSync('other', join(project, 'linked'));
  expect(foundRules(project).rules).toEqual(['other/CLAUDE.md']);
});

test('a folder that cannot be read stops neither init nor migrate', () => {
  const project = treeOf(['AGENTS.md', 'data/a.md']);
  chmodSync(join(project, 'data'), 0);
  const { names, closed } = findDocuments(project);
  chmodSync(join(project, 'data'), 0o700);
  // root reads it all the same
  expect([...names, ...closed]).toEqual(process.getuid?.() === 0 ? ['AGENTS.md', 'data/a.md'] : ['AGENTS.md', 'data']);
});

test('a text that names many files takes no longer than any other', () => {
  const project = tempFolder();
  writeFileSync(join(project, 'AGENTS.md'), `${'a.md'.repeat(1000)}!\n`);
  expect(foundRules(project).rules).toEqual(['AGENTS.md']);
});

test('the handbook’s own files are no legacy, and are not reported', () => {
  const project = treeOf(['AGENTS.md', 'instructions/agents/a/x.md', '.vade/x.md', '.vscode/x.md']);
  const { names, hidden } = findDocuments(project, [join(project, 'instructions')]);
  expect([names, hidden]).toEqual([['AGENTS.md'], []]);
});
