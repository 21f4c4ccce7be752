import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { BOOT } from '../../../../compiler/schema/source/placeholders.ts';
import { vade, type Ran } from '../../../support/cli.ts';
import { AGENT, born, CTO_ID, inMode, LEGACY } from '../../../support/evidence.ts';
import { tempFolder } from '../../../support/folder.ts';
import { agentYaml, smallDeployment, type Repository } from '../../../support/repository.ts';

const ARCHIVED = 'docs/legacy-instructions/docs/old.md';
const UNIT = 'instructions/agents/cto/wrap-up.md';
const BOOT_FILE = 'instructions/agents/cto/boot.md';
const OLD = 'As of old: leave a note.\n';
const STIGMEM = agentYaml(CTO_ID, 'migration_mode: stigmem # arrived\n');

const archive = (repo: Repository, ...more: string[]) => vade(['archive', '--agent', 'cto', ...more], repo.path);
const text = ({ path }: Repository, file: string) => readFileSync(join(path, file), 'utf8');
const code = (ran: Ran) => [ran.code, ran.envelope().error.code.toLowerCase()];
const kept = (ran: Ran) => ran.envelope().data['kept'];

/** In coexistence by its last commit, and in stigmem in the working tree; the unit still names the legacy file. */
function arriving(): Repository {
  const repo = born('coexistence');
  const unit = `---\n# how we leave\ndescription: "How to leave work" # short\npath: ${LEGACY} # the old one\n---\n\nLeave a note.\n`;
  return repo.write(AGENT, STIGMEM).write(UNIT, unit).write(BOOT_FILE, '');
}

describe('§21.6.2 stage 5: a legacy file is archived with a redirect', () => {
  test('vade archive without --write changes nothing', async () => {
    const repo = arriving();
    const before = repo.git('status', '--porcelain');
    const ran = await archive(repo);
    expect(ran.envelope().data).toEqual({
      ...{ effect: 'would_update', agent: 'cto', units: [UNIT], kept: [], nothing_because: null },
      moved: [{ path: LEGACY, to: ARCHIVED }],
    });
    expect(repo.git('status', '--porcelain')).toBe(before);
  });

  test('vade archive --write moves the file, leaves a redirect, and removes path from the unit but keeps its comments', async () => {
    const repo = arriving();
    expect((await archive(repo, '--write')).envelope().data['effect']).toBe('updated');
    expect(text(repo, ARCHIVED)).toBe(OLD);
    expect(text(repo, LEGACY)).toMatch(
      /^<!-- Moved to docs\/legacy-instructions\/docs\/old\.md\..*instructions\/agents\/cto\/.* -->\n$/,
    );
    expect(text(repo, UNIT)).toBe(
      '---\n# how we leave\ndescription: "How to leave work" # short\n---\n\nLeave a note.\n',
    );
    const again = await archive(repo, '--write');
    expect(again.envelope().data).toMatchObject({ effect: 'noop', moved: [], units: [], kept: [] });
  });

  test('vade archive after the promotion was committed finds the units’ files in the history', async () => {
    const repo = inMode(born('coexistence'), 'stigmem').write(BOOT_FILE, '- Ask first.\n');
    repo.commit('promote');
    repo.write('README.md', 'x\n').commit('later');
    const ran = await archive(repo, '--write');
    expect(ran.envelope().data).toMatchObject({ moved: [{ path: LEGACY, to: ARCHIVED }], units: [] });
    repo.commit('archived');
    expect((await archive(repo, '--write')).envelope().data['effect']).toBe('noop');
  });

  test('vade archive completes an interrupted run', async () => {
    const repo = arriving().write(ARCHIVED, OLD);
    expect((await archive(repo, '--write')).envelope().data['effect']).toBe('updated');
    expect(text(repo, LEGACY)).toMatch(/^<!-- Moved/);
  });

  test('vade archive works from a folder within the repository, with the same paths', async () => {
    const repo = arriving();
    const ran = await vade(['archive', '--agent', 'cto', '--repo', '..', '--write'], join(repo.path, 'docs'));
    expect(ran.envelope().data['moved']).toEqual([{ path: LEGACY, to: ARCHIVED }]);
    expect(existsSync(join(repo.path, ARCHIVED))).toBe(true);
  });

  test('the sources compile after vade archive --write', async () => {
    const repo = arriving();
    await archive(repo, '--write');
    repo.commit('promote and archive');
    const ran = await vade(['compile', '--dev', '--skip-coverage-gate', '--out', tempFolder()], repo.path);
    expect([ran.code, ran.envelope().warnings.map((it) => it.code)]).toEqual([
      0,
      expect.arrayContaining(['MIGRATION_EVIDENCE_MISSING']),
    ]);
  });
});

describe('§21.6.2 a file that is still needed is not archived', () => {
  test('vade archive refuses until somebody, or an answer of nothing, has written the boot.md of the agent', async () => {
    const refused = [4, 'stage_not_reached'];
    expect(code(await archive(arriving().remove(BOOT_FILE), '--write'))).toEqual(refused);
    const repo = arriving().write(BOOT_FILE, BOOT);
    expect([code(await archive(repo, '--write')), text(repo, LEGACY)]).toEqual([refused, OLD]);
    repo.write(BOOT_FILE, '');
    expect((await archive(repo, '--write')).envelope().data['effect']).toBe('updated');
  });

  test('vade archive says why it moves nothing where units were made of files that they do not name', async () => {
    const repo = smallDeployment().write(BOOT_FILE, '');
    repo.commit();
    const { moved, nothing_because } = (await archive(repo)).envelope().data;
    expect([moved, nothing_because]).toEqual([[], expect.stringContaining('path')]);
  });

  test.each(['file', 'coexistence'] as const)(
    'vade archive keeps the files of an agent in mode %s, which still reads them',
    async (mode) => {
      expect(code(await archive(born(mode), '--write'))).toEqual([4, 'stage_not_reached']);
    },
  );

  test('vade archive keeps the file of a unit without a text of its own', async () => {
    const repo = arriving().write(UNIT, `---\ndescription: How to leave work\npath: ${LEGACY}\n---\n`);
    expect(code(await archive(repo, '--write'))).toEqual([4, 'stage_not_reached']);
    expect(text(repo, LEGACY)).toBe(OLD);
  });

  test('vade archive keeps a file that another agent’s unit names', async () => {
    const repo = arriving()
      .write(
        'instructions/agents/ops/agent.yaml',
        agentYaml('1b7f2a64-0c1d-4b7e-9d53-6c1f1b7a2e02', 'migration_mode: file\n'),
      )
      .write('instructions/agents/ops/notes.md', `---\ndescription: Notes\npath: ${LEGACY}\n---\n`);
    const ran = await archive(repo, '--write');
    expect([kept(ran), text(repo, LEGACY)]).toEqual([[{ path: LEGACY, reason: 'in_use' }], OLD]);
  });

  test('vade archive adds no comment to a file that is not Markdown, and reports a missing file', async () => {
    const named = (path: string) => `---\ndescription: D\npath: ${path}\n---\n\nText.\n`;
    const repo = arriving()
      .write('docs/old.yaml', 'a: 1\n')
      .write('instructions/agents/cto/a.md', named('docs/old.yaml'))
      .write('instructions/agents/cto/b.md', named('docs/none.md'));
    expect(kept(await archive(repo, '--write'))).toEqual([
      { path: 'docs/old.yaml', reason: 'not_markdown' },
      { path: 'docs/none.md', reason: 'missing' },
    ]);
    expect(text(repo, 'docs/old.yaml')).toBe('a: 1\n');
  });

  test('vade archive refuses to overwrite another file in the archive', async () => {
    const repo = arriving().write(ARCHIVED, 'Another.\n');
    expect(code(await archive(repo, '--write'))).toEqual([6, 'already_exists']);
    expect([text(repo, LEGACY), text(repo, ARCHIVED)]).toEqual([OLD, 'Another.\n']);
  });

  test.each(['../out', '/etc', 'a/../../b', '.git'])(
    'vade archive refuses a folder outside the repository: --to %s',
    async (to) => {
      expect(code(await archive(arriving(), '--write', '--to', to))).toEqual([3, 'argument_invalid']);
    },
  );

  test.each(['../secret.md', '/etc/passwd.md', 'instructions/shared/x.md', '.git/config.md'])(
    'vade archive refuses a path that leaves the repository or is inside the sources: %s',
    async (path) => {
      const repo = arriving().write(UNIT, `---\ndescription: D\npath: ${path}\n---\n\nText.\n`);
      expect(kept(await archive(repo, '--write'))).toContainEqual({ path, reason: 'path_invalid' });
    },
  );

  test('vade archive follows no symbolic link, neither to the file nor to the archive', async () => {
    const outside = tempFolder();
    writeFileSync(join(outside, 'old.md'), 'Not ours.\n');
    const linked = arriving().remove('docs');
    symlinkSync(outside, join(linked.path, 'docs'));
    expect(code(await archive(linked, '--write'))).toEqual([1, 'output_failed']);
    const into = arriving();
    mkdirSync(join(into.path, 'attic'));
    symlinkSync(outside, join(into.path, 'attic/old'));
    expect(code(await archive(into, '--write', '--to', 'attic/old'))).toEqual([1, 'output_failed']);
    expect(existsSync(join(outside, 'docs'))).toBe(false);
    expect(readFileSync(join(outside, 'old.md'), 'utf8')).toBe('Not ours.\n');
  });

  test('vade archive refuses an unknown agent', async () => {
    expect(code(await vade(['archive', '--agent', 'ops'], arriving().path))).toEqual([5, 'agent_not_found']);
  });
});
