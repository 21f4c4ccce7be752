import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readRoot } from '../../../../compiler/trust/root-chain.ts';
import { vade } from '../../../support/cli.ts';
import { tempFolder } from '../../../support/folder.ts';
import { repository } from '../../../support/repository.ts';
import { failure } from '../../failing.ts';

const HOST_FILES = ['.mcp.json', '.claude/settings.json'];
const COMMIT = '0123456789abcdef0123456789abcdef01234567';
const ADA = ['--admin', 'handbook/human/ada'];

/** Every file below a folder, with its content. */
function treeOf(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((it) => it.isFile());
  return Object.fromEntries(
    files.map((it) => [join(it.parentPath, it.name), readFileSync(join(it.parentPath, it.name), 'utf8')]),
  );
}

describe('DESIGN §8 vade init', () => {
  test('vade init writes the sources of one agent with two units, and lists the files', async () => {
    const folder = tempFolder();
    const ran = await vade(['init', '--dir', 'handbook', ...ADA], folder);
    const { written, deployment } = ran.envelope().data as { written: string[]; deployment: string };
    expect([ran.code, deployment]).toEqual([0, 'handbook']);
    for (const file of written) expect([file, existsSync(join(folder, 'handbook', file))]).toEqual([file, true]);
    const agents = readdirSync(join(folder, 'handbook/instructions/agents'));
    expect(agents).toHaveLength(1);
    const units = readdirSync(join(folder, 'handbook/instructions/agents', agents[0] ?? ''));
    expect(units.filter((it) => it.endsWith('.md') && it !== 'boot.md')).toHaveLength(2);
  });

  test('vade init writes private keys only to .vade/, readable by their owner, ignored by git', async () => {
    const repo = repository();
    expect(
      (await vade(['init', '--dir', '.', '--deployment', 'acme', '--admin', 'acme/human/ada'], repo.path)).code,
    ).toBe(0);
    const secret = Object.entries(treeOf(repo.path)).filter(([, text]) => text.includes('PRIVATE KEY'));
    expect(secret.length).toBeGreaterThan(0);
    for (const [file] of secret) {
      expect(file).toContain('/.vade/');
      expect([file, statSync(file).mode & 0o777]).toEqual([file, 0o600]);
    }
    expect(statSync(join(repo.path, '.vade')).mode & 0o077).toBe(0);
    repo.commit('everything');
    expect(repo.git('ls-files')).not.toMatch(/\.vade|\.pem/);
    expect(repo.git('status', '--porcelain')).toBe('');
  });

  test.each([
    ['their environment', { GIT_AUTHOR_NAME: 'Ada Lovelace' }, null],
    ['their own configuration of git', {}, '[user]\n\tname = Ada Lovelace\n\temail = ada@example.com\n'],
  ])('vade init makes its founder an administrator, under the name of %s', async (_from, env, config) => {
    const folder = tempFolder();
    if (config !== null) writeFileSync(join(folder, '.gitconfig'), config);
    const ran = await vade(['init', '--dir', 'handbook'], folder, { HOME: folder, ...env });
    expect([ran.code, ran.envelope().data['admin']]).toEqual([0, 'handbook/human/ada-lovelace']);
    const { root } = readRoot(readFileSync(join(folder, 'handbook/instructions/trust/1.json')));
    expect(root.admins).toEqual(['handbook/human/ada-lovelace']);
    expect(statSync(join(folder, 'handbook/.vade/admin-key.pem')).mode & 0o777).toBe(0o600);
  });

  test('vade init --no-admin creates no administrator', async () => {
    const folder = tempFolder();
    const ran = await vade(['init', '--dir', 'handbook', '--no-admin'], folder, { GIT_AUTHOR_NAME: 'Ada' });
    expect([ran.code, ran.envelope().data['admin']]).toEqual([0, null]);
    expect(existsSync(join(folder, 'handbook/.vade/admin-key.pem'))).toBe(false);
  });

  test('vade init exits 3 and creates nothing if git does not know the founder, or the flags contradict each other', async () => {
    const folder = tempFolder();
    const nobody = await vade(['init', '--dir', 'handbook'], folder, { HOME: folder });
    expect(failure(nobody)).toEqual([3, 'ARGUMENT_INVALID']);
    expect(nobody.envelope().error.suggestion).toContain('--no-admin');
    const both = await vade(['init', '--dir', 'handbook', '--no-admin', ...ADA], folder);
    expect(failure(both)).toEqual([3, 'ARGUMENT_INVALID']);
    expect(treeOf(folder)).toEqual({});
  });

  test('vade init in a finished folder exits 6 and changes nothing', async () => {
    const folder = tempFolder();
    await vade(['init', '--dir', 'handbook', ...ADA], folder);
    const before = treeOf(folder);
    expect(failure(await vade(['init', '--dir', 'handbook', ...ADA], folder))).toEqual([6, 'ALREADY_EXISTS']);
    expect(treeOf(folder)).toEqual(before);
  });

  test.each(['instructions/org.yaml', '.vade/root-key.pem', '.vade/signing-key.pem'])(
    'vade init over a %s exits 6 and changes nothing',
    async (file) => {
      const folder = tempFolder();
      mkdirSync(join(folder, file, '..'), { recursive: true });
      writeFileSync(join(folder, file), 'mine\n');
      expect(
        failure(await vade(['init', '--dir', '.', '--deployment', 'acme', '--admin', 'acme/human/ada'], folder)),
      ).toEqual([6, 'ALREADY_EXISTS']);
      expect(treeOf(folder)).toEqual({ [join(folder, file)]: 'mine\n' });
    },
  );

  test('vade init in a folder that cannot be created exits 1', async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'file'), '');
    expect(failure(await vade(['init', '--dir', 'file/handbook', ...ADA], folder))).toEqual([1, 'OUTPUT_FAILED']);
  });

  test('vade init writes the files by which Claude Code acts as the first agent', async () => {
    const folder = tempFolder();
    const ran = await vade(['init', '--dir', 'handbook', ...ADA], folder);
    const { written, kept } = ran.envelope().data as { written: string[]; kept: string[] };
    expect([written.filter((it) => HOST_FILES.includes(it)), kept]).toEqual([[...HOST_FILES].sort(), []]);
    const { mcpServers } = JSON.parse(readFileSync(join(folder, 'handbook/.mcp.json'), 'utf8')) as {
      mcpServers: Record<string, unknown>;
    };
    expect(mcpServers).toEqual({ vademecum: { command: 'vade', args: ['mcp', '--dev', '--agent', 'assistant'] } });
  });

  test('vade init --continuity gives back at the start what the agent kept, and writes nothing for it', async () => {
    const folder = tempFolder();
    await vade(['init', '--dir', 'handbook', '--continuity', ...ADA], folder);
    const at = (path: string) => readFileSync(join(folder, 'handbook', path), 'utf8');
    expect(at('.mcp.json')).toContain('"--continuity"');
    const { hooks } = JSON.parse(at('.claude/settings.json')) as { hooks: Record<string, unknown> };
    const keeping = Object.entries(hooks).filter(([, it]) => JSON.stringify(it).includes('--continuity'));
    expect(keeping.map(([event]) => event)).toEqual(['SessionStart']);
    expect(at('instructions/org.yaml')).toContain('boot_stub: { startup_view: true }');
  });

  test.each(HOST_FILES)('vade init keeps a %s that is there already, and says so', async (file) => {
    const folder = tempFolder();
    mkdirSync(join(folder, file, '..'), { recursive: true });
    writeFileSync(join(folder, file), '{}\n');
    const ran = await vade(['init', '--dir', '.', '--deployment', 'acme', '--no-admin'], folder);
    const { written, kept } = ran.envelope().data as { written: string[]; kept: string[] };
    expect([ran.code, kept, written.includes(file)]).toEqual([0, [file], false]);
    expect(readFileSync(join(folder, file), 'utf8')).toBe('{}\n');
    expect(
      existsSync(
        join(
          folder,
          HOST_FILES.find((it) => it !== file)!,
        ),
      ),
    ).toBe(true);
  });

  test('vade init writes a skill for Claude Code and a page for every other agent, which tell how to answer briefs', async () => {
    const folder = tempFolder();
    await vade(['init', '--dir', '.', '--deployment', 'acme', '--no-admin'], folder);
    for (const file of ['.claude/skills/vade-briefs/SKILL.md', 'instructions/BRIEFS.md']) {
      const text = readFileSync(join(folder, file), 'utf8');
      const calls = [...text.matchAll(/`(vade [^`]+)`/g)].map(([, call = '']) => call);
      expect(new Set(calls.map((it) => it.split(' ').slice(0, 3).join(' ')))).toEqual(
        new Set(['vade brief probes', 'vade brief take', 'vade brief phrases']),
      );
      const [print = ''] = calls;
      const ran = await vade(print.replace('<agent>', 'assistant').split(' ').slice(1), folder);
      expect([ran.code, ran.stdout.startsWith('# Brief')]).toEqual([0, true]);
    }
    const linted = (await vade(['lint'], folder)).envelope().data as { faults: { file: string }[] };
    expect(linted.faults.filter(({ file }) => file.endsWith('BRIEFS.md'))).toEqual([]);
  });

  test('vade init --action writes the workflows that use it, and none without it', async () => {
    const [bare, folder] = [tempFolder(), tempFolder()];
    await vade(['init', '--dir', 'handbook', ...ADA], bare);
    expect(Object.keys(treeOf(bare)).filter((it) => it.includes('.github'))).toEqual([]);
    const ran = await vade(['init', '--dir', 'handbook', ...ADA, '--action', `acme/vademecum@${COMMIT}`], folder);
    expect(ran.code).toBe(0);
    const files = ran.envelope().data['written'] as string[];
    const workflows = files.filter((it) => it.startsWith('.github/workflows/'));
    expect(workflows).toHaveLength(2);
    for (const file of workflows)
      expect(readFileSync(join(folder, 'handbook', file), 'utf8')).toContain(
        `uses: acme/vademecum/.github/actions/vade@${COMMIT}\n`,
      );
  });

  test.each([
    ['---', []],
    ['handbook', ['--deployment', 'Not A Name']],
    ['handbook', ['--deployment', 'x'.repeat(65)]],
    ['handbook', ['--deployment', '']],
  ])('vade init with an invalid deployment name exits 3 and creates nothing: --dir %s %j', async (dir, more) => {
    const folder = tempFolder();
    expect(failure(await vade(['init', `--dir=${dir}`, '--no-admin', ...more], folder))).toEqual([
      3,
      'ARGUMENT_INVALID',
    ]);
    expect(treeOf(folder)).toEqual({});
  });
});
