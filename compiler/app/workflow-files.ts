import { existsSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { createFile } from '../io/files/durable.ts';
import { messageOf, VadeError } from '../schema/errors.ts';

/** Place of the action: a repository with this code, the commit that is trusted, and the sources that it reads. */
export interface ActionAddress {
  readonly repository: string;
  readonly commit: string;
  /** Folder of the sources in the repository. */
  readonly source: string;
}

/** Parses `owner/repository@<commit>`; null for a branch or a tag, which may name other code tomorrow. */
function readActionAddress(text: string, source: string): ActionAddress | null {
  const [, repository, commit] = /^([\w.-]+\/[\w.-]+)@([0-9a-f]{40})$/.exec(text) ?? [];
  return repository === undefined || commit === undefined ? null : { repository, commit, source };
}

/** Pinned as the action itself is; test/workflows.test.ts compares them with those of this repository. */
const CHECKOUT = 'actions/checkout@11bd71901bbe5b1630ceea73d27597364c9af683 # v4.2.2';
const NODE = 'actions/setup-node@49933ea5288caeca8642d1e84afbd3f7d6820020 # v4.4.0';

const uses = ({ repository, commit }: ActionAddress) => `${repository}/.github/actions/vade@${commit}`;

const CLONE = `      - uses: ${CHECKOUT}
        with:
          # versions are counted in the whole history, so a shallow clone is an error
          fetch-depth: 0
          persist-credentials: false`;

const SETUP = `      - uses: ${NODE}
        with:
          node-version: 22`;

/** A path of the repository as YAML: none of its letters may end the string. */
const sourceInput = ({ source }: ActionAddress) =>
  source === 'instructions' ? [] : [`source: ${JSON.stringify(source)}`];

/** A job that checks out the whole history and runs one step of the action. @param when an expression */
const job = (name: string, when: string, action: ActionAddress, inputs: readonly string[]) => `  ${name}:
    if: ${when}
    runs-on: ubuntu-24.04
    timeout-minutes: 20
    steps:
${CLONE}
${SETUP}
      - uses: ${uses(action)}
        with:
${[...inputs, ...sourceInput(action)].map((it) => `          ${it}`).join('\n')}
`;

const EVENTS = `name: vade

# A pull request is checked without any secret, so one from a fork is checked in the same way. vade-comment.yml posts
# what this workflow compares. What is merged to main is signed with the secret VADE_SIGNING_KEY: the bundle is the
# artifact vade-bundle, and the outputs \`bundle\` and \`archive\` are for a host, a release or a registry.
on:
  pull_request:
  merge_group:
  push:
    branches: [main]
  schedule:
    - cron: '23 5 * * *'
  workflow_dispatch:

permissions:
  contents: read

concurrency:
  group: vade-\${{ github.event_name }}-\${{ github.ref }}
  cancel-in-progress: \${{ github.event_name == 'pull_request' }}
`;

const KEY = 'key: ${{ secrets.VADE_SIGNING_KEY }}';
const AUDIT = 'audit: ${{ secrets.VADE_AUDIT }}';
/**
 * The condition of jobs that sign: only main is signed, also where somebody starts the workflow by hand on a branch.
 */
const ON_MAIN = "github.ref == 'refs/heads/main'";

const MAIN = (action: ActionAddress) => `${EVENTS}
jobs:
${[
  job('pull-request', `contains(fromJSON('["pull_request", "merge_group"]'), github.event_name)`, action, [
    'step: pull-request',
  ]),
  job('publish', `github.event_name == 'push' && ${ON_MAIN}`, action, ['step: main', KEY]),
  job('watch', `contains(fromJSON('["schedule", "workflow_dispatch"]'), github.event_name) && ${ON_MAIN}`, action, [
    'step: schedule',
    KEY,
    AUDIT,
  ]),
].join('\n')}`;

const COMMENT = (action: ActionAddress) => `name: vade-comment

# Runs after a pull request's own job, with this file and this action as main has them: a job of a fork may not write.
# It takes nothing of the other job but one file of data, and checks that.
on:
  workflow_run:
    workflows: [vade]
    types: [completed]

permissions:
  contents: read

jobs:
  comment:
    if: github.event.workflow_run.event == 'pull_request'
    runs-on: ubuntu-24.04
    timeout-minutes: 10
    permissions:
      contents: read
      actions: read
      pull-requests: write
    concurrency:
      group: vade-comment-\${{ github.event.workflow_run.head_repository.full_name }}-\${{ github.event.workflow_run.head_branch }}
    steps:
${SETUP}
      - uses: ${uses(action)}
        with:
          step: comment
`;

/** The workflows that check, comment, publish and watch a handbook on GitHub, by path. */
export function workflowFiles(action: ActionAddress): ReadonlyMap<string, string> {
  return new Map([
    ['.github/workflows/vade.yml', MAIN(action)],
    ['.github/workflows/vade-comment.yml', COMMENT(action)],
  ]);
}

/** The folder with `.git` above the sources; the folder of the sources' own project if there is none yet. */
function topOf(sources: string): string {
  const start = dirname(sources);
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder;
    if (dirname(folder) === folder) return start;
  }
}

/** The workflows of a folder: those that it lacks, and those that stay as they are. */
interface Workflows {
  /** Top folder of the repository. */
  readonly top: string;
  readonly added: ReadonlyMap<string, string>;
  readonly kept: readonly string[];
}

/**
 * GitHub reads workflows at the top of a repository alone, so they go there, and name the sources below it.
 *
 * @param sources folder of the sources, there or not yet
 * @param action `owner/repository@<commit>`
 * @throws argument_invalid
 */
export function missingWorkflows(sources: string, action: string): Workflows {
  const top = topOf(sources);
  const address = readActionAddress(action, relative(top, sources).split(sep).join('/'));
  if (address === null) {
    const message = `--action must be owner/repository@<commit>, with all 40 digits of the commit`;
    const suggestion = 'a branch or a tag can name other code tomorrow: git rev-parse <tag> prints its commit';
    throw new VadeError('argument_invalid', message, { flag: 'action', suggestion });
  }
  const files = [...workflowFiles(address)];
  const isThere = ([path]: readonly [string, string]) => existsSync(join(top, path));
  return { top, added: new Map(files.filter((it) => !isThere(it))), kept: files.filter(isThere).map(([path]) => path) };
}

/** @throws output_failed, already_exists */
export function writeWorkflows({ top, added }: Workflows): void {
  try {
    for (const [path, text] of added) createFile(join(top, path), text, { folders: true });
  } catch (error) {
    if (error instanceof VadeError) throw error;
    throw new VadeError('output_failed', `the workflows cannot be written: ${messageOf(error)}`);
  }
}
