import { agentYaml, unitFile } from '../../support/unit-files.ts';
import { front, WRAP_UP, type Row } from './row.ts';

const LFS_POINTER =
  'version https://git-lfs.github.com/spec/v1\n' +
  'oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n';
const at = (line: number, column: number) => ({ line, column });
const unit = unitFile('A unit of its own');

/** Files that are no text, no file or in no place: told by path, before anything in them is read. */
export const FILES: readonly Row[] = [
  {
    title: 'a binary file called .md',
    file: 'agents/cto/logo.md',
    written: Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
    rule: 'encoding_invalid',
    ...at(1, 1),
  },
  {
    title: 'UTF-16',
    file: WRAP_UP,
    written: Buffer.from(`\ufeff${front()}`, 'utf16le'),
    rule: 'encoding_invalid',
    ...at(1, 1),
  },
  {
    title: 'Latin-1 in org.yaml',
    file: 'org.yaml',
    written: Buffer.from('deployment: acme\ncompiler: 0.1.0 # für uns\n', 'latin1'),
    rule: 'encoding_invalid',
    ...at(1, 1),
  },
  {
    title: 'a NUL in boot.md',
    file: 'agents/cto/boot.md',
    written: 'Never push to main.\0\n',
    rule: 'encoding_invalid',
    ...at(1, 1),
  },
  {
    title: 'a unit with both sides of a merge',
    file: WRAP_UP,
    written: '---\ndescription: How to leave\n---\n\n<<<<<<< HEAD\nShip.\n=======\nWait.\n>>>>>>> b2\n',
    rule: 'conflict_markers',
    ...at(5, 1),
  },
  { title: 'a unit left in Git LFS', file: WRAP_UP, written: LFS_POINTER, rule: 'lfs_pointer', ...at(1, 1) },
  {
    title: 'an agent.yaml left in Git LFS',
    file: 'agents/ops/agent.yaml',
    written: LFS_POINTER,
    rule: 'lfs_pointer',
    ...at(1, 1),
  },
  {
    title: 'what a system leaves beside a unit',
    file: 'agents/cto/._wrap-up.md',
    written: Buffer.from('0005160700020000', 'hex'),
    rule: 'file_stray',
    ...at(1, 1),
  },
  {
    title: 'a 5 MB unit',
    file: WRAP_UP,
    written: front('', 'all work and no play\n'.repeat(250_000)),
    rule: 'unit_too_large',
    ...at(1, 1),
  },
  {
    title: 'a symbolic link',
    file: 'agents/cto/passwords.md',
    written: null,
    stage: ({ git, write }) => {
      const blob = git('hash-object', '-w', write('target', '/etc/passwd').path + '/target').trim();
      git('update-index', '--add', '--cacheinfo', `120000,${blob},instructions/agents/cto/passwords.md`);
    },
    rule: 'symlink',
    ...at(1, 1),
  },
  {
    title: 'a submodule',
    file: 'agents/vendor',
    written: null,
    stage: ({ git }) => {
      git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},instructions/agents/vendor`);
    },
    rule: 'submodule',
    ...at(1, 1),
  },
  {
    title: 'a body nested thousands deep',
    file: WRAP_UP,
    written: front('', `${'>'.repeat(8000)} leave\n`),
    rule: 'nesting_too_deep',
    ...at(4, 1),
  },
  {
    title: 'a body of underlined headings alone',
    file: WRAP_UP,
    written: front('', 'a\n=\n'.repeat(8000)),
    rule: 'markdown_too_costly',
    ...at(5, 1),
  },
  { title: 'a file that has no place', file: 'agents/cto/notes.txt', written: 'x', rule: 'file_stray', ...at(1, 1) },
  { title: 'a unit too deep', file: 'agents/cto/more/deep.md', written: unit, rule: 'file_stray', ...at(1, 1) },
  { title: 'a capital in a name', file: 'agents/cto/WrapUp.md', written: unit, rule: 'name_invalid', ...at(1, 1) },
  { title: 'an underscore in a name', file: 'shared/wrap_up.md', written: unit, rule: 'name_invalid', ...at(1, 1) },
  { title: 'a dot in a name', file: 'agents/cto/a.b.md', written: unit, rule: 'name_invalid', ...at(1, 1) },
  {
    title: 'a name of 65 characters',
    file: `shared/${'a'.repeat(65)}.md`,
    written: unit,
    rule: 'name_invalid',
    ...at(1, 1),
  },
  {
    title: 'a unit called manifest',
    file: 'agents/cto/manifest.md',
    written: unit,
    rule: 'name_reserved',
    ...at(1, 1),
  },
  { title: 'a unit called agent', file: 'shared/agent.md', written: unit, rule: 'name_reserved', ...at(1, 1) },
  { title: 'a unit called shared', file: 'agents/cto/shared.md', written: unit, rule: 'name_reserved', ...at(1, 1) },
  {
    title: 'an agent called shared',
    file: 'agents/shared/agent.yaml',
    written: agentYaml('3b0b71f4-55d3-4f3e-8c0b-6a4c0c3f3a11'),
    rule: 'agent_folder_invalid',
    ...at(1, 1),
  },
  {
    title: 'an agent with a capital',
    file: 'agents/CEO/agent.yaml',
    written: agentYaml('3b0b71f4-55d3-4f3e-8c0b-6a4c0c3f3a11'),
    rule: 'agent_folder_invalid',
    ...at(1, 1),
  },
  {
    title: 'an agent without agent.yaml',
    file: 'agents/ops/agent.yaml',
    written: null,
    besides: { 'agents/ops/on-call.md': unit },
    rule: 'agent_missing',
    ...at(1, 1),
  },
];
