import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { repository } from './support/repository.ts';
import { readWorkflow, stepsOf } from './support/workflows.ts';

/** A clone with a commit that main has, or one that it does not have. */
function repositoryWith({ merged }: { readonly merged: boolean }): string {
  const made = repository();
  const first = made.write('a.md', 'a').commit();
  const second = made.write('a.md', 'b').commit();
  made.git('update-ref', 'refs/remotes/origin/main', merged ? second : first);
  return made.path;
}

/** Runs the check of a release in a folder with one version and one changelog. */
function check({
  tag = 'v1.2.3',
  version = '1.2.3',
  changelog = '## Unreleased\n\n## 1.2.3 - 2030-01-02\n\n- It runs.\n',
  merged = true,
}) {
  const cwd = repositoryWith({ merged });
  writeFileSync(join(cwd, 'package.json'), JSON.stringify({ version }));
  writeFileSync(join(cwd, 'CHANGELOG.md'), changelog);
  const env = { PATH: process.env['PATH'], GITHUB_REF_NAME: tag };
  return spawnSync(process.execPath, [resolve('.github/release/check.mjs')], { cwd, env, encoding: 'utf8' });
}

describe('a release', () => {
  test('a tag that is the version of the package, with its changes, is released', () => {
    expect(check({})).toMatchObject({ status: 0, stderr: '' });
  });

  test.each([
    ['another version', { tag: 'v1.2.4' }, 'v1.2.3'],
    ['a version without its v', { tag: '1.2.3' }, 'v1.2.3'],
    ['no version', { tag: '' }, 'v1.2.3'],
    [
      'a version whose changes are still called unreleased',
      { changelog: '## Unreleased\n\n- It runs.\n' },
      'CHANGELOG.md',
    ],
    ['a version without its date', { changelog: '## 1.2.3 (unreleased)\n\n- It runs.\n' }, 'CHANGELOG.md'],
    ['a commit that was not merged', { merged: false }, 'main'],
    [
      'a version of which the changelog says nothing',
      { changelog: '## 1.2.3 - 2030-01-02\n\n## 1.2.2\n- Old.\n' },
      'CHANGELOG.md',
    ],
  ])('a tag that names %s is refused, with what to do', (_, given, named) => {
    const { status, stderr } = check(given);
    expect(status).toBe(1);
    expect(stderr).toContain(named);
  });

  test('nothing is published before the tag was compared with the version', () => {
    const { jobs } = readWorkflow('release.yml') as unknown as { jobs: Record<string, { needs?: string | string[] }> };
    expect(stepsOf(readWorkflow('release.yml')).filter(({ run }) => run?.endsWith('check.mjs'))).toHaveLength(1);
    expect(['check', 'pack', 'build'].map((it) => jobs[it]?.needs)).toEqual([undefined, 'check', 'check']);
    expect(['package', 'image'].map((it) => jobs[it]?.needs)).toEqual([
      ['pack', 'build'],
      ['pack', 'build'],
    ]);
    expect(jobs['action']?.needs).toEqual(['package', 'image']);
  });

  test('a job that installs has no right to write, and a job that publishes installs nothing and is approved', () => {
    const jobs = Object.entries(readWorkflow('release.yml').jobs);
    const installs = ({ steps }: (typeof jobs)[number][1]) =>
      steps.some(({ run = '' }) => /setup\.mjs|image\.mjs|npm/.test(run));
    for (const [name, job] of jobs) {
      const rights = Object.values(job.permissions ?? {});
      expect(installs(job) && (rights.includes('write') || job.steps.some(({ env }) => env !== undefined)), name).toBe(
        false,
      );
      expect(rights.includes('write'), name).toBe(job.environment === 'release');
    }
    expect(jobs.filter(([, job]) => installs(job)).map(([name]) => name)).toEqual(['check', 'pack', 'build']);
    expect(readFileSync('.github/release/publish.mjs', 'utf8')).toContain("'--ignore-scripts'");
  });

  test('a release has no secret: npm trusts the workflow, and the registry of images the token of the run', () => {
    expect(readFileSync('.github/workflows/release.yml', 'utf8')).not.toContain('secrets.');
  });

  test('the package may be published by everybody’s registry, and only with its provenance', () => {
    const { publishConfig, private: isPrivate } = JSON.parse(readFileSync('package.json', 'utf8')) as Record<
      string,
      unknown
    >;
    expect({ publishConfig, isPrivate }).toEqual({
      publishConfig: { access: 'public', provenance: true },
      isPrivate: undefined,
    });
  });
});
