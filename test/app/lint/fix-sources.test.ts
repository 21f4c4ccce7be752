import { existsSync, linkSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fixSources } from '../../../compiler/app/lint/fix-sources.ts';
import { lintSources } from '../../../compiler/app/lint/lint-sources.ts';
import { rewriteFile } from '../../../compiler/io/files/rewrite-file.ts';
import { unversionedSources } from '../../../compiler/io/git/unversioned-sources.ts';
import { countTokens } from '../../../compiler/io/models/tokens.ts';
import { fixText } from '../../../compiler/lint/fix-text.ts';
import { tempFolder } from '../../support/folder.ts';
import { smallDeployment, unitFile, type Repository } from '../../support/repository.ts';

const UNIT = 'instructions/agents/cto/unit.md';

async function fix(repo: Repository) {
  const sources = unversionedSources({ repo: repo.path, folder: 'instructions' });
  const { fixed, linted } = await fixSources(sources, { countTokens });
  return {
    faults: linted.faults,
    changes: Object.fromEntries(fixed.map((it) => [it.file, it.changes])),
    texts: Object.fromEntries(fixed.map((it) => [it.file, it.after.toString('utf8')])),
  };
}

describe('--fix fixes what is safe to fix', () => {
  test('--fix removes byte order marks and hidden characters, and normalises line ends and accents', () => {
    const { text, changes } = fixText('\ufeffone\r\ntwo\u200b\u202e\r\ncafe\u0301\r\n');
    expect(text).toBe('one\ntwo\ncaf\u00e9\n');
    expect(changes).toHaveLength(4);
  });

  test('--fix keeps the two blanks of a line break, emoji and Persian text', () => {
    const text = 'one  \ntwo 👩‍💻 می‌خواهم\n';
    expect(fixText(text)).toEqual({ text, changes: [] });
  });

  test('--fix corrects a key that differs by a letter, case or hyphen, and keeps comments', async () => {
    const text =
      '---\n# why\ndescripton: "One" # here\nload-triggers:\n  intents: [need it]\nRelated: [wrap-up]\n---\n\nDo it.\n';
    const { texts, changes } = await fix(smallDeployment().write(UNIT, text));
    expect(texts[UNIT]).toBe(
      '---\n# why\ndescription: "One" # here\nload_triggers:\n  intents: [need it]\nrelated: [wrap-up]\n---\n\nDo it.\n',
    );
    expect(changes[UNIT]).toHaveLength(3);
  });

  test.each([
    ['one that would hand out standing', 'guarantee_laod: true\n'],
    ['one that is far from any', 'owner: bob\n'],
    ['one that is there already', 'descriptoin: again\n'],
  ])('--fix does not correct a key: %s', async (_, more) => {
    const { changes, faults } = await fix(smallDeployment().write(UNIT, unitFile('One', ['need it'], more)));
    expect(changes).toEqual({});
    expect(faults.map((it) => it.rule)).toContain('key_unknown');
  });

  test('--fix changes only Markdown and YAML files', async () => {
    const repo = smallDeployment();
    repo.write('instructions/trust/1.json', '{"a":1}\r\n').write('instructions/note.txt', 'a\r\n');
    expect((await fix(repo)).changes).toEqual({});
  });
});

describe('a fixed file replaces the one that was read', () => {
  const before = Buffer.from('before\n');
  const after = Buffer.from('after\n');
  const refusal = (folder: string, file: string) => () => {
    rewriteFile(folder, 'instructions', file, before, after);
  };

  function folderWith(write: (folder: string, unit: string) => void) {
    const repo = smallDeployment();
    const unit = join(repo.path, UNIT);
    write(repo.path, unit);
    return { folder: repo.path, unit };
  }

  test('a fixed file keeps its mode, and no temporary file remains', () => {
    const { folder, unit } = folderWith((_, path) => {
      writeFileSync(path, before, { mode: 0o640 });
    });
    refusal(folder, UNIT)();
    expect(readFileSync(unit, 'utf8')).toBe('after\n');
  });

  test('--fix never writes outside the sources, by path or symbolic link', () => {
    const outside = join(tempFolder(), 'outside.md');
    writeFileSync(outside, before);
    const { folder } = folderWith((_, path) => {
      symlinkSync(outside, path);
    });
    expect(refusal(folder, UNIT)).toThrow('not a file');
    expect(refusal(folder, 'instructions/../x.md')).toThrow('outside');
    expect(refusal(folder, 'README.md')).toThrow('outside');
    const away = tempFolder();
    writeFileSync(join(away, 'unit.md'), before);
    symlinkSync(away, join(folder, 'instructions/agents/linked'));
    expect(refusal(folder, 'instructions/agents/linked/unit.md')).toThrow('symbolic link');
    expect(readFileSync(outside, 'utf8') + readFileSync(join(away, 'unit.md'), 'utf8')).toBe('before\nbefore\n');
  });

  test('--fix does not write through a hard link', () => {
    const other = join(tempFolder(), 'other.md');
    writeFileSync(other, before);
    const { folder, unit } = folderWith((_, path) => {
      linkSync(other, path);
    });
    refusal(folder, UNIT)();
    expect([readFileSync(unit, 'utf8'), readFileSync(other, 'utf8')]).toEqual(['after\n', 'before\n']);
  });

  test('--fix does not replace a file that changed after it was read', () => {
    const { folder, unit } = folderWith((_, path) => {
      writeFileSync(path, 'somebody typed\n');
    });
    expect(refusal(folder, UNIT)).toThrow('changed in the meantime');
    expect([readFileSync(unit, 'utf8'), existsSync(`${unit}.${process.pid}.mended`)]).toEqual([
      'somebody typed\n',
      false,
    ]);
  });
});

test('a file that --fix would normalise has one warning', async () => {
  const repo = smallDeployment().write(UNIT, `\ufeff${unitFile('One', ['need it']).replaceAll('\n', '\r\n')}`);
  const sources = unversionedSources({ repo: repo.path, folder: 'instructions' });
  const { faults } = await lintSources(sources, { countTokens });
  const told = faults.filter((it) => it.file === UNIT).map((it) => `${it.severity} ${it.rule}`);
  expect(told).toContain('warning text_not_normal');
  expect(told.filter((it) => it.startsWith('error'))).toEqual([]);
  expect((await fix(repo)).faults.map((it) => it.rule)).not.toContain('text_not_normal');
});
