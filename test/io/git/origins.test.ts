import { describe, expect, test } from 'vitest';
import { readLibrary } from '../../../compiler/io/files/library-files.ts';
import { openSources } from '../../../compiler/io/git/open-sources.ts';
import { PLACEHOLDERS } from '../../../compiler/schema/source/placeholders.ts';
import { ANN, BOB, branched, CLEO, commitAs, mergeAs } from '../../attack/branching.ts';
import type { Repository } from '../../support/repository.ts';

/** Who first brought these texts in, with the place of the step; null for what nobody wrote. */
async function originsOf(repo: Repository, ...texts: readonly (string | Buffer)[]) {
  const sources = await openSources({ repo: repo.path, folder: 'instructions', ref: 'HEAD', lenient: false });
  const ids = texts.map((text, at) => {
    repo.write(`.git/asked-${String(at)}`, text);
    return repo.git('hash-object', `.git/asked-${String(at)}`).trim();
  });
  const found = await sources.origins(ids);
  return ids.map((id) => {
    const origin = found.get(id);
    return origin ? [origin.commit.author.name, origin.place] : null;
  });
}

describe('SECURITY §1 who first brought the same bytes in', () => {
  test('the first commit counts, at any path, and by its step of the first-parent chain', async () => {
    const repo = branched();
    commitAs(repo.write('docs/a.md', 'one'), ANN);
    commitAs(repo.write('docs/b.md', 'one').write('docs/a.md', 'two'), CLEO);
    mergeAs(repo, BOB);
    commitAs(repo.write('else/a.md', 'two').write('else/b.md', 'three'), BOB);
    expect(await originsOf(repo, 'one', 'two', 'three', 'four')).toEqual([['Ann', 2], ['Cleo', 2], ['Bob', 3], null]);
  });

  test('an answer about an early step stays the same, whatever is merged later', async () => {
    const repo = branched();
    repo.git('switch', '--quiet', '--create', 'other');
    commitAs(repo.write('x.md', 'text'), CLEO);
    repo.git('switch', '--quiet', 'main');
    commitAs(repo.write('docs/a.md', 'text'), ANN);
    commitAs(repo.write('docs/b.md', 'text'), BOB);
    expect(await originsOf(repo, 'text')).toEqual([['Ann', 2]]);
    mergeAs(repo, BOB, 'other');
    expect(await originsOf(repo, 'text')).toEqual([['Ann', 2]]);
  });

  test('nobody is the author of an empty file, of a placeholder of vade init, or of a shipped atom', async () => {
    const repo = branched();
    const shipped = [...readLibrary().values()].slice(0, 2);
    const texts = ['', ...PLACEHOLDERS, ...shipped];
    texts.forEach((text, at) => repo.write(`docs/${String(at)}.md`, text));
    commitAs(repo, ANN);
    expect(await originsOf(repo, ...texts)).toEqual(texts.map(() => null));
  });
});
