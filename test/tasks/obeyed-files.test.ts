import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { obeyedFindings } from '../../compiler/tasks/verify/obeyed-files.ts';

const ORG = 'deployment: acme\ncompiler: 0.1.0\n';

/** The paths that are told of a change that writes some files, or removes them. */
async function told(paths: readonly string[], allowed: readonly string[] = [], files: Record<string, string> = {}) {
  const changes = paths.map((path) => ({ path, before: null, after: 'x', mode: '100644' }));
  const read = (path: string) => Promise.resolve(path in files ? Buffer.from(files[path] ?? '') : null);
  const tree = { changes, files: () => Promise.resolve(Object.keys(files)), read, readBefore: read };
  const [finding] = await obeyedFindings(tree, allowed);
  expect(finding === undefined || (finding.result === 'fail' && finding.severity === 'block')).toBe(true);
  return finding?.detail?.split('\n').map((it) => it.replace(/: .*/, '')) ?? [];
}

const KINDS = parse(readFileSync('test/tasks/obeyed-files.yaml', 'utf8')) as Readonly<
  Record<string, readonly string[]>
>;

describe('H5: what the person’s programs run or obey, in what an agent left', () => {
  test.each(Object.entries(KINDS))('%s are told at the top and below a folder', async (_, paths) => {
    const nested = paths.filter((it) => it !== 'agents.md').map((it) => `src/deep/${it}`);
    expect(await told([...paths, ...nested])).toEqual([...paths, ...nested]);
  });

  test('a name with a dot or a blank at its end is the same file for some disks', async () => {
    expect(await told(['AGENTS.md.', '.husky /pre-commit'])).toEqual(['AGENTS.md.', '.husky /pre-commit']);
  });

  test.each([
    'src/a.ts',
    'docs/agents.md',
    'src/claude.ts',
    '.github/workflows/ci.yml',
    'src/hooks/use.ts',
    '.gitignore',
    'vscode/x',
    'src/rules/a.md',
    'package.json',
    '.editorconfig',
    'src/helix/x.rs',
    'src/rust-toolchain.rs',
    '.cargo/audit.toml',
    'src/amp/x.js',
    'tools/bazel/BUILD',
  ])('a file that nobody obeys is not told: %s', async (path) => {
    expect(await told([path])).toEqual([]);
  });

  test('what the README names as not guarded, with the reason, is not told', async () => {
    const text = readFileSync('compiler/tasks/verify/README.md', 'utf8');
    const [, table = ''] = text.split('why it is not guarded');
    const rows = (table.split('\n## ')[0] ?? '').split('\n').filter((it) => it.startsWith('| `'));
    const paths = rows.flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, it = '']) => it));
    expect([rows.every((row) => (row.split('|')[2] ?? '').trim() !== ''), paths.length > 10]).toEqual([true, true]);
    expect(await told(paths)).toEqual([]);
  });

  test.each(['src\n/.cursor/rules/a.md', 'a\nb/.agent/x', 'a\nb/.github/prompts/x.md', 'a\nb/AGENTS.md'])(
    'a line end in the name of a folder above hides no file: %j',
    async (path) => {
      expect(await told([path])).not.toEqual([]);
    },
  );

  test('the sources of a handbook are told wherever it lies, and an org.yaml of others is none', async () => {
    const files = { 'docs/handbook/org.yaml': ORG, 'config/org.yaml': 'orgs: {}\n' };
    const paths = ['docs/handbook/agents/a.md', 'config/x.yaml', 'docs/x.md'];
    expect(await told(paths, [], files)).toEqual(['docs/handbook/agents/a.md']);
  });

  test('one changed file of a handbook is told too, and a handbook that the change makes counts', async () => {
    expect(await told(['docs/agents/a.md'], [], { 'docs/org.yaml': ORG })).toEqual(['docs/agents/a.md']);
    expect(await told(['docs/agents/a.md'], [], { 'docs/org.yaml': `name: x\n${ORG}` })).toEqual(['docs/agents/a.md']);
    expect(await told(['docs/org.yaml'], [], { 'docs/org.yaml': ORG })).toEqual(['docs/org.yaml']);
    expect(await told(['docs/agents/a.md'], [], { 'other/org.yaml': ORG })).toEqual([]);
    expect(await told(['agents/a.md'], [], { 'org.yaml': ORG })).toEqual(['agents/a.md']);
  });

  test('of 64 files that may make a folder a handbook each is read, and no more', async () => {
    const names = Array.from({ length: 65 }, (_, at) => `h${String(at).padStart(2, '0')}`);
    const files = Object.fromEntries(names.map((it) => [`${it}/org.yaml`, ORG]));
    expect(await told(['h63/a.md', 'h64/a.md'], [], files)).toEqual(['h63/a.md']);
  });

  test('what the role names is let through, and nothing else', async () => {
    expect(await told(['.vscode/settings.json', 'docs/AGENTS.md', '.envrc'], ['.vscode/**', '**/AGENTS.md'])).toEqual([
      '.envrc',
    ]);
  });
});
