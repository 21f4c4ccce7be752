import { limits } from '../support/approvals.ts';
import type { Repository } from '../support/repository.ts';
import { ANN, BOB, commitAs, mergeAs } from './branching.ts';

/** Ways for Ann's text to reach `main` in a commit of Bob's whose message names her. */
export const NAMED = [
  ['the message of a squash by git', `Squashed commit of the following:\n\ncommit 1234\nAuthor: ${ANN}\nDate: now`],
  ['a trailer with a blank before its colon', `squash\n\nCo-authored-by : ${ANN}`],
  ['an indented trailer', `squash\n\n    Co-authored-by: ${ANN}`],
  ['a listed trailer', `squash\n\n* Co-Authored-By: ${ANN}`],
  ['a trailer of two lines', `squash\n\nCo-authored-by: Ann\n  <ann@example.com>`],
  ['a trailer of the kernel', `squash\n\nCo-developed-by: ${ANN}`],
].map(([way = '', message = '']): [string, (repo: Repository) => unknown] => [
  way,
  (repo) => {
    commitAs(limits(repo), BOB, message);
    mergeAs(repo, BOB);
  },
]);
