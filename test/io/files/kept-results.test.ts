import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openResults } from '../../../compiler/io/files/kept-results.ts';
import { tempFolder } from '../../support/folder.ts';

const List = z.array(z.string());

/** A file with one result. */
function kept(): string {
  const path = join(tempFolder(), 'kept.json');
  const results = openResults('key', path);
  results.keep('markdown', 'a text', ['a heading']);
  results.save();
  return path;
}

const found = (path: string, key = 'key', most?: number) =>
  openResults(key, path, most).find('markdown', 'a text', List);

describe('results of earlier runs', () => {
  test('are found by all of their inputs, in the run that has them and in the next one', () => {
    const path = kept();
    expect(found(path)).toEqual(['a heading']);
    const results = openResults('key', path);
    expect(results.find('markdown', 'another text', List)).toBeNull();
    expect(results.find('yaml', 'a text', List)).toBeNull();
  });

  test('stay for a run that asks for others', () => {
    const path = kept();
    const results = openResults('key', path);
    results.keep('markdown', 'another text', []);
    results.save();
    expect(found(path)).toEqual(['a heading']);
  });

  test('of another form count as none', () => {
    expect(openResults('key', kept()).find('markdown', 'a text', z.number())).toBeNull();
  });

  test('that another key or another program wrote count as none', () => {
    const path = kept();
    expect(found(path, 'another key')).toBeNull();
    const [head = '', body = ''] = readFileSync(path, 'utf8').split('\n');
    writeFileSync(path, `${head.replace(/"program":"[0-9a-f]/, '"program":"x')}\n${body}`);
    expect(found(path)).toBeNull();
  });

  test.each([
    ['is cut off', (text: string) => text.slice(0, -10)],
    ['has one other letter', (text: string) => text.replace('heading', 'headinh')],
    ['is empty', () => ''],
    ['is no JSON', () => 'nonsense\nnonsense'],
    ['has no code', (text: string) => text.replace(/"mac":"[0-9a-f]+"/, '"mac":""')],
  ])('count as none where their file %s, and are written again', (_, damage) => {
    const path = kept();
    writeFileSync(path, damage(readFileSync(path, 'utf8')));
    expect(found(path)).toBeNull();
    const results = openResults('key', path);
    results.keep('markdown', 'a text', ['a heading']);
    results.save();
    expect(found(path)).toEqual(['a heading']);
  });

  test('beyond the room for all are not kept, and a larger file is not read', () => {
    const results = openResults('key', null, 20);
    results.keep('markdown', 'a text', ['a heading']);
    results.keep('markdown', 'another text', ['a second heading']);
    expect(results.find('markdown', 'a text', List)).toEqual(['a heading']);
    expect(results.find('markdown', 'another text', List)).toBeNull();
    expect(found(kept(), 'key', 20)).toBeNull();
  });

  test('are neither read nor written through a symbolic link', () => {
    const path = kept();
    const repo = tempFolder();
    mkdirSync(join(repo, '.git'));
    symlinkSync(path, join(repo, 'kept.json'));
    expect(found(join(repo, 'kept.json'))).toBeNull();
    const outside = tempFolder();
    symlinkSync(outside, join(repo, '.vade'));
    const results = openResults('key', join(repo, '.vade/kept.json'));
    results.keep('markdown', 'a text', []);
    results.save();
    expect(found(join(outside, 'kept.json'))).toBeNull();
  });
});
