import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tempFolder } from './support/folder.ts';

const walk = (folder: string) => spawnSync('bash', ['test/six-commands.sh', folder], { encoding: 'utf8' });

/** Names of the chunks of `vade recall`, and the commands that `vade init` tells, in the output of the walk. */
function toldBy(stdout: string): { chunks: string[]; next: string[] } {
  const answers = stdout
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => (JSON.parse(line) as { data: { chunks?: { name: string }[]; next?: string[] } }).data);
  return {
    chunks: answers.flatMap(({ chunks = [] }) => chunks.map(({ name }) => name)),
    next: answers.flatMap(({ next = [] }) => next),
  };
}

describe('a project with a CLAUDE.md', () => {
  test('a section of a CLAUDE.md is recalled after six commands, with the words of a coding agent', () => {
    const { status, stdout, stderr } = walk(tempFolder());
    expect(status, stderr + stdout).toBe(0);
    const { chunks, next } = toldBy(stdout);
    expect(chunks[0]).toBe('money-back');
    const commands = next.filter((line) => !line.startsWith('#')).flatMap((line) => line.split(' && '));
    const told = commands.map((line) => line.split(' --intent')[0]);
    const typed = [...stdout.matchAll(/^\d\. (.*)$/gm)].map(([, line = '']) => line.split(' --intent')[0] ?? '');
    expect(typed).toHaveLength(6);
    expect(typed.slice(1).map(bare)).toEqual(told.map((line) => bare(line ?? '')));
  });

  test('the walk of six commands refuses a folder in which something lies', () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'note'), '');
    expect(walk(folder)).toMatchObject({ status: 2, stdout: '' });
  });
});

/** A command as its words, without the message of a commit and the file of an answer. */
const bare = (line: string) => line.replace(/ (--quiet --message|-m) "?Start the handbook"?| --answers \S+/g, '');
