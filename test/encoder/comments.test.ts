import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readComments } from '../../compiler/encoder/gather/comments.ts';
import { tempFolder } from '../support/folder.ts';

/** Comments that are read of a package with these files. */
function commentsOf(files: Readonly<Record<string, string>>) {
  const folder = tempFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return readComments(folder);
}

const typed = (text: string) => commentsOf({ 'index.d.ts': text });
const paged = (text: string) => commentsOf({ 'README.md': text });

describe('comments in type declarations', () => {
  test('a comment is named by the words of the identifier after it', () => {
    const text = `
      /** The body that somebody wrote below an issue. */
      readonly issueCommentBody?: string;
      /**
       * Closes an issue for good,
       * whoever has opened it.
       */
      export declare function close_issue2Now(id: string): void;
      /** The answer that came back from the last call. */
      'last-answer': string;`;
    expect(typed(text)).toEqual([
      { name: 'issue comment body', text: 'The body that somebody wrote below an issue.' },
      { name: 'close issue2 now', text: 'Closes an issue for good, whoever has opened it.' },
      { name: 'last', text: 'The answer that came back from the last call.' },
    ]);
  });
});

test('a GraphQL description is named by the type or field after it', () => {
  const text = `
    """
    A request to change the code of a repository.
    """
    type PullRequest implements Node {
      """Whether it may be merged right now."""
      isMergeable: Boolean!
      """Too short."""
      id: ID!
      """Who was asked to look at it."""
      reviewers(first: Int): [User]
    }`;
  expect(commentsOf({ 'schema.graphql': text })).toEqual([
    { name: 'pull request', text: 'A request to change the code of a repository.' },
    { name: 'is mergeable', text: 'Whether it may be merged right now.' },
    { name: 'reviewers', text: 'Who was asked to look at it.' },
  ]);
});

describe('Markdown pages', () => {
  test('each paragraph of a Markdown page is named by the heading above it', () => {
    const text = `Said before there is any heading.

# Sending *messages*

A message goes to one room,
and to nobody else.

Every room has a topic of its own.

## Retry_policy

What failed is sent again three times.
`;
    expect(paged(text)).toEqual([
      { name: '', text: 'Said before there is any heading.' },
      { name: 'sending messages', text: 'A message goes to one room, and to nobody else.' },
      { name: 'sending messages', text: 'Every room has a topic of its own.' },
      { name: 'retry policy', text: 'What failed is sent again three times.' },
    ]);
  });

  test('code, tables, lists, quotes and HTML of a Markdown page are skipped', () => {
    const blocks = [
      '```js\n// this is a comment inside of code\n\nand so is this line below it\n```',
      '| one | two | three | four | five |\n| --- | --- | --- | --- | --- |',
      '- the first of the things to do',
      '* another one of the things to do',
      '1. the first step of all of them',
      '> somebody else has said all of this',
      '<p align="center">a picture of all of us</p>',
    ];
    expect(paged(`# Use\n\n${blocks.join('\n\n')}\n\nOnly this line is read here.\n`)).toEqual([
      { name: 'use', text: 'Only this line is read here.' },
    ]);
  });
});

describe('the files of a package', () => {
  const page = (said: string) => `${said} says this to all of us.`;

  test('only type declarations, GraphQL and Markdown are read, without changelogs, licences and other packages', () => {
    const skipped = [
      ...['CHANGELOG.md', 'docs/changelog.md', 'LICENSE.md', 'History.md', 'index.ts', 'index.js', 'notes.txt'],
      ...['node_modules/other/README.md', '.git/README.md'],
    ];
    const text = `/** ${page('nobody')} */\n\n${page('nobody')}`;
    const files = Object.fromEntries(skipped.map((it) => [it, text]));
    expect(commentsOf({ ...files, 'docs/use.md': page('somebody') })).toEqual([{ name: '', text: page('somebody') }]);
  });
});
