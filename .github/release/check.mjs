// A release is what its tag says: package.json has that version, the changelog says what changed, and the commit was
// merged to main.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { changesOf } from './changes.mjs';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const tag = process.env.GITHUB_REF_NAME ?? '';
const problem = problemOf();
if (problem !== null) {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
}

function problemOf() {
  if (tag !== `v${version}`)
    return `the tag is ${tag} and package.json has ${version}: tag the commit that sets the version as v${version}`;
  const changelog = readFileSync('CHANGELOG.md', 'utf8');
  if (changesOf(version, changelog) === null || changelog.includes(`## ${version} (unreleased)`))
    return `CHANGELOG.md has no dated entry of ${version}: write its changes below “## ${version} - <date>”`;
  const { status } = spawnSync('git', ['merge-base', '--is-ancestor', 'HEAD', 'refs/remotes/origin/main']);
  return status === 0 ? null : `${tag} is no commit of main: merge it first, and tag the merged commit`;
}
