import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { blameLines } from '../../../../compiler/present/terminal/blame.ts';
import type { FactVersion } from '../../../../compiler/schema/bundle/fact.ts';
import { unitFile } from '../../../support/repository.ts';
import { BY, staffed, toldBy } from '../../../support/staffed.ts';
import { failure } from '../../failing.ts';

const version = (number: number, content: string, withheld?: 'security') =>
  ({
    version: number,
    content: withheld ? '' : content,
    commit: `c${number}`,
    authored_by: `acme/human/a${number}`,
    ...(withheld && { withheld }),
  }) as FactVersion;
const attributed = (...versions: FactVersion[]) => blameLines(versions).map((it) => [it.text, it.version, it.withheld]);

describe('DESIGN §7 a line is attributed to the version that added it', () => {
  test('a line keeps its version however much is added and removed around it', () => {
    expect(attributed(version(1, 'a\nb\nc\n'), version(2, 'x\na\nc\n'), version(3, 'x\na\nb\nc\nd\n'))).toEqual([
      ['x', 2, []],
      ['a', 1, []],
      ['b', 3, []],
      ['c', 1, []],
      ['d', 3, []],
    ]);
  });

  test('a line that a withheld version may have added names both versions', () => {
    const versions = [
      version(1, 'a\n'),
      version(2, 'a\nb\n', 'security'),
      version(3, 'a\nb\n'),
      version(4, 'a\nb\nc\n'),
    ];
    expect(attributed(...versions)).toEqual([
      ['a', 1, []],
      ['b', 3, [2]],
      ['c', 4, []],
    ]);
  });

  test('after a deletion every line is attributed to the new version', () => {
    expect(attributed(version(1, 'a\n'), version(3, 'a\nb\n'))).toEqual([
      ['a', 3, []],
      ['b', 3, []],
    ]);
  });

  test('an empty text has no lines, and very long texts are attributed in limited time', () => {
    expect(attributed(version(1, 'a\n'), version(2, ''))).toEqual([]);
    const long = (mark: string) => Array.from({ length: 30_000 }, (_, at) => `${mark}${at}`).join('\n');
    expect(new Set(blameLines([version(1, long('a')), version(2, long('b'))]).map((it) => it.version))).toEqual(
      new Set([2]),
    );
  });

  test('every line of the newest text is attributed once, in order, whatever the history', () => {
    const text = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 8 }).map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 5 }), (texts) => {
        const lines = blameLines(texts.map((it, at) => version(at + 1, it)));
        expect(lines.map((it) => it.text).join('\n')).toBe(texts.at(-1));
        for (const it of lines) expect(texts[it.version - 1]?.split('\n')).toContain(it.text);
      }),
    );
  });
});

const INTENTS = ['done for today', 'hand over'];

describe('vade blame', () => {
  test('vade blame names version, commit and author of each line of the text in force', async () => {
    const place = staffed();
    const before = place.repo.git('rev-parse', 'HEAD').trim();
    const write = (body: string, author: string) =>
      place.repo
        .write('instructions/agents/cto/wrap-up.md', unitFile('How to leave work', INTENTS, '', body))
        .commit('write', undefined, author);
    const first = write('Say what is done.\nSay what is open.', BY.ada);
    const second = write('Say what is done.\nSay what blocks it.\nSay what is open.', BY.bob);
    const ran = await place.compile();
    expect([ran.code, toldBy(ran)]).toEqual([0, []]);
    const blame = (...more: string[]) =>
      place.run(['blame', ...place.trust, '--agent', 'cto', '--unit', 'wrap-up', ...more]);
    const { uri, lines } = (await blame()).envelope().data as { uri: string; lines: object[] };
    expect(uri).toBe('instruction:acme/agent/cto/wrap-up/v3');
    const file = 'instructions/agents/cto/wrap-up.md';
    const ada = {
      ...{ version: 2, commit: first, authored_by: 'acme/human/ada-lovelace' },
      ...{ coauthored_by: [], withheld: [], file },
    };
    // the tests commit as Ada, whoever wrote it
    const bob = { authored_by: 'acme/human/bob', coauthored_by: ['acme/human/ada-lovelace'], withheld: [], file };
    expect(lines).toEqual([
      { line: 1, text: '# How to leave work', ...ada, version: 1, commit: before },
      { line: 2, text: '', ...ada, version: 1, commit: before },
      { line: 3, text: 'Say what is done.', ...ada },
      { line: 4, text: 'Say what blocks it.', version: 3, commit: second, ...bob },
      { line: 5, text: 'Say what is open.', ...ada },
    ]);
    expect((await blame('--format', 'text')).stdout).toMatch(
      /^v3 .* acme\/human\/bob, acme\/human\/ada-lovelace +Say what blocks it\.$/m,
    );
  });

  test('vade blame of a deleted or unknown unit reports that', async () => {
    const place = staffed();
    place.repo.write('instructions/agents/cto/old.md', unitFile('How it was', ['once'])).commit();
    place.repo.remove('instructions/agents/cto/old.md').commit();
    expect((await place.compile()).code).toBe(0);
    for (const unit of ['old', 'none']) {
      const ran = await place.run(['blame', ...place.trust, '--agent', 'cto', '--unit', unit]);
      expect(failure(ran)).toEqual([5, 'FACT_NOT_FOUND']);
    }
  });
});
