// Makes the release on GitHub: what changed, and how a handbook names the action and the image, each by its digest.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { changesOf } from './changes.mjs';

const { GITHUB_REF_NAME: tag, GITHUB_REPOSITORY: repository, GITHUB_SHA: commit, IMAGE: image } = process.env;
const changes = changesOf(tag.slice(1), readFileSync('CHANGELOG.md', 'utf8'));
const names = `The action: \`vade workflows --action ${repository}@${commit}\`\n\nThe image: \`${image}\``;

execFileSync(
  'gh',
  ['release', 'create', tag, '--repo', repository, '--verify-tag', '--title', tag, '--notes-file', '-'],
  {
    input: `${names}\n\n${changes}\n`,
    stdio: ['pipe', 'inherit', 'inherit'],
  },
);
