import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { GUARANTEED, LIMITS, limits } from '../support/approvals.ts';
import { unitFile, type Repository } from '../support/repository.ts';
import { ANN, BOB, CLEO, commitAs, mergeAs } from './branching.ts';

const TEXT = unitFile('What never to do', ['about to delete something'], GUARANTEED);

/** Ways for Ann's bytes to reach `main` from a place where no version of the unit was. */
export const MOVED: readonly [way: string, go: (repo: Repository) => unknown][] = [
  [
    'a place outside the sources, from one commit to the next',
    (repo) => {
      commitAs(repo.write('docs/spending.md', TEXT), ANN);
      mkdirSync(join(repo.path, dirname(LIMITS)), { recursive: true });
      repo.git('mv', 'docs/spending.md', LIMITS);
      commitAs(repo, BOB);
      repo.git('switch', '--quiet', 'main');
      repo.git('merge', '--quiet', '--ff-only', 'topic');
    },
  ],
  [
    'a place outside the sources that was merged before',
    (repo) => {
      commitAs(repo.write('docs/spending.md', TEXT), ANN);
      mergeAs(repo, BOB);
      commitAs(repo.write('docs/more.md', 'more'), CLEO);
      repo.git('mv', 'docs/spending.md', LIMITS);
      commitAs(repo, CLEO);
    },
  ],
  [
    'a place outside the sources that nobody merged a file of',
    (repo) => {
      commitAs(repo.write('docs/spending.md', TEXT), ANN);
      repo.git('switch', '--quiet', 'main');
      repo.gitAs(BOB, ['merge', '--quiet', '--no-ff', '--no-edit', '--strategy', 'ours', 'topic']);
      repo.git('switch', '--quiet', 'topic');
      commitAs(repo.write(LIMITS, TEXT), BOB);
      mergeAs(repo, BOB);
    },
  ],
  [
    'a merge that takes nothing, and a later one of a branch on top of it',
    (repo) => {
      commitAs(limits(repo), ANN);
      repo.git('switch', '--quiet', 'main');
      repo.gitAs(BOB, ['merge', '--quiet', '--no-ff', '--no-edit', '--strategy', 'ours', 'topic']);
      repo.git('switch', '--quiet', 'topic');
      commitAs(repo.write('more.txt', 'x'), BOB);
      repo.git('switch', '--quiet', 'main');
      repo.gitAs(BOB, ['merge', '--quiet', '--no-commit', '--no-ff', 'topic']);
      repo.git('checkout', '--quiet', 'topic', '--', LIMITS);
      commitAs(repo, BOB);
    },
  ],
];
