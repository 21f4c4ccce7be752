import { GUARANTEED, LIMITS, limits } from '../support/approvals.ts';
import { unitFile, type Repository } from '../support/repository.ts';
import { ANN, BOB, CLEO, commitAs, FORGE, mergeAs } from './branching.ts';
import { MOVED } from './moved-ways.ts';
import { NAMED } from './named-ways.ts';

const TEXT = unitFile('What never to do', ['about to delete something'], GUARANTEED);

/** Ways for Ann to get her text onto `main` by the hands of others; each leaves it checked out there. */
export const WAYS: readonly [way: string, go: (repo: Repository) => unknown][] = [
  [
    'a merge that somebody else makes',
    (repo) => {
      commitAs(limits(repo), ANN);
      mergeAs(repo, BOB);
    },
  ],
  [
    'a merge by the button of the forge',
    (repo) => {
      commitAs(limits(repo), ANN);
      mergeAs(repo, BOB, 'topic', FORGE);
    },
  ],
  [
    'a commit of the branch that names her as a co-author',
    (repo) => {
      commitAs(limits(repo), CLEO, `write\n\nCo-authored-by: ${ANN}`);
      mergeAs(repo, BOB);
    },
  ],
  [
    'a commit of the branch that she committed for another',
    (repo) => {
      commitAs(limits(repo), CLEO, 'write', ANN);
      mergeAs(repo, BOB);
    },
  ],
  [
    'a text that another polished on the branch',
    (repo) => {
      commitAs(limits(repo), ANN);
      commitAs(limits(repo, GUARANTEED, 'Polished.'), CLEO);
      mergeAs(repo, BOB);
    },
  ],
  [
    'a rename by somebody else on the branch',
    (repo) => {
      commitAs(repo.write('drafts/rules.txt', TEXT), ANN);
      repo.git('mv', 'drafts/rules.txt', LIMITS);
      commitAs(repo, CLEO);
      mergeAs(repo, BOB);
    },
  ],
  [
    'two renames in a row',
    (repo) => {
      commitAs(repo.write('drafts/rules.txt', TEXT), ANN);
      repo.git('mv', 'drafts/rules.txt', 'drafts/more.txt');
      commitAs(repo, CLEO);
      repo.git('mv', 'drafts/more.txt', LIMITS);
      commitAs(repo, BOB);
      mergeAs(repo, BOB);
    },
  ],
  [
    'a rename that changes a word',
    (repo) => {
      commitAs(repo.write('drafts/rules.txt', TEXT), ANN);
      repo.remove('drafts/rules.txt').write(LIMITS, TEXT.replace('Do it', 'Please do it'));
      commitAs(repo, CLEO);
      mergeAs(repo, BOB);
    },
  ],
  [
    'a changed draft that is put over a file which was there',
    (repo) => {
      repo.git('switch', '--quiet', 'main');
      commitAs(limits(repo, '', 'An old text.'), CLEO);
      repo.git('switch', '--quiet', '--create', 'second');
      commitAs(repo.write('drafts/rules.txt', TEXT), ANN);
      repo.remove('drafts/rules.txt').write(LIMITS, TEXT.replace('Do it', 'Please do it'));
      commitAs(repo, CLEO);
      mergeAs(repo, BOB, 'second');
    },
  ],
  [
    'a copy, the first text taken away later',
    (repo) => {
      commitAs(repo.write('drafts/rules.txt', TEXT), ANN);
      commitAs(limits(repo), CLEO);
      commitAs(repo.remove('drafts/rules.txt'), CLEO);
      mergeAs(repo, BOB);
    },
  ],
  [
    'a file of hers that another takes away and puts back',
    (repo) => {
      commitAs(limits(repo), ANN);
      commitAs(repo.remove(LIMITS), CLEO);
      commitAs(limits(repo), CLEO);
      mergeAs(repo, BOB);
    },
  ],
  [
    'a branch of a branch',
    (repo) => {
      repo.git('switch', '--quiet', '--create', 'deeper');
      commitAs(limits(repo), ANN);
      repo.git('switch', '--quiet', 'topic');
      commitAs(repo.write('notes.txt', 'x'), CLEO);
      repo.gitAs(CLEO, ['merge', '--quiet', '--no-ff', '--no-edit', 'deeper']);
      mergeAs(repo, BOB);
    },
  ],
  [
    'an octopus',
    (repo) => {
      commitAs(limits(repo), ANN);
      repo.git('switch', '--quiet', '--create', 'other', 'main');
      commitAs(repo.write('notes.txt', 'x'), CLEO);
      repo.git('switch', '--quiet', 'main');
      commitAs(repo.write('more.txt', 'x'), CLEO);
      repo.gitAs(BOB, ['merge', '--quiet', '--no-edit', 'other', 'topic']);
    },
  ],
  [
    'branches that were merged both ways',
    (repo) => {
      commitAs(limits(repo), ANN);
      repo.git('switch', '--quiet', 'main');
      const before = commitAs(repo.write('more.txt', 'x'), CLEO);
      repo.git('switch', '--quiet', 'topic');
      const draft = repo.git('rev-parse', 'HEAD').trim();
      repo.gitAs(CLEO, ['merge', '--quiet', '--no-ff', '--no-edit', before]);
      commitAs(repo.write('notes.txt', 'x'), CLEO);
      repo.git('switch', '--quiet', 'main');
      repo.gitAs(BOB, ['merge', '--quiet', '--no-ff', '--no-edit', draft]);
      mergeAs(repo, BOB);
    },
  ],
  [
    'a merge that changes her text once more',
    (repo) => {
      commitAs(limits(repo), ANN);
      repo.git('switch', '--quiet', 'main');
      repo.gitAs(BOB, ['merge', '--quiet', '--no-ff', '--no-commit', 'topic']);
      commitAs(limits(repo, GUARANTEED, 'Changed in the merge.'), BOB);
    },
  ],
  [
    'a merge that gives her text its place',
    (repo) => {
      commitAs(repo.write('drafts/rules.txt', TEXT), ANN);
      repo.git('switch', '--quiet', 'main');
      repo.gitAs(BOB, ['merge', '--quiet', '--no-ff', '--no-commit', 'topic']);
      repo.git('mv', 'drafts/rules.txt', LIMITS);
      commitAs(repo, BOB);
    },
  ],
  [
    'a squash by the forge',
    (repo) => {
      commitAs(limits(repo), ANN);
      repo.git('switch', '--quiet', 'main');
      repo.git('merge', '--quiet', '--squash', 'topic');
      commitAs(repo, CLEO, `squashed\n\nCo-authored-by: ${ANN}`, FORGE);
    },
  ],
  [
    'a rebase by somebody else',
    (repo) => {
      commitAs(limits(repo), ANN);
      repo.git('switch', '--quiet', 'main');
      commitAs(repo.write('more.txt', 'x'), CLEO);
      repo.gitAs(BOB, ['cherry-pick', 'topic'], BOB);
    },
  ],
  [
    'a revert of a revert',
    (repo) => {
      commitAs(limits(repo), ANN);
      mergeAs(repo, BOB);
      commitAs(repo.remove(LIMITS), CLEO);
      repo.gitAs(CLEO, ['revert', '--no-edit', 'HEAD']);
    },
  ],
  [
    'a place outside the units, long before',
    (repo) => {
      commitAs(repo.write('instructions/notes.md', TEXT), ANN);
      mergeAs(repo, BOB);
      repo.git('mv', 'instructions/notes.md', LIMITS);
      commitAs(repo, CLEO);
    },
  ],
  [
    'a fast-forward',
    (repo) => {
      commitAs(limits(repo), ANN);
      repo.git('switch', '--quiet', 'main');
      repo.git('merge', '--quiet', '--ff-only', 'topic');
    },
  ],
  [
    'a merge the other way round, main merged into her branch',
    (repo) => {
      commitAs(limits(repo), ANN);
      repo.git('switch', '--quiet', 'main');
      commitAs(repo.write('more.txt', 'x'), CLEO);
      repo.git('switch', '--quiet', 'topic');
      repo.gitAs(CLEO, ['merge', '--quiet', '--no-ff', '--no-edit', 'main']);
    },
  ],
  ...MOVED,
  ...NAMED,
];
