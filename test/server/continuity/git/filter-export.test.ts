import { expect, test } from 'vitest';
import { filterExport, versionsIn } from '../../../../server/continuity/git/filter-export.ts';

/** A history of so many commits as `git fast-export --no-data` writes it, each a version of one of two subjects. */
function exported(commits: number): Buffer {
  const commit = (n: number) => {
    const from = n === 1 ? '' : `from :${n - 1}\n`;
    const blob = n.toString(16).padStart(40, '0');
    return `commit refs/heads/main\nmark :${n}\nauthor a <a@b> 1 +0000\ncommitter a <a@b> 1 +0000\ndata 2\nm\n${from}M 100644 ${blob} file-${n % 2}\n\n`;
  };
  return Buffer.from(Array.from({ length: commits }, (_, i) => commit(i + 1)).join(''));
}

test('what is asked of a history grows as its commits do', () => {
  const asked = (commits: number) => {
    let count = 0;
    const history = exported(commits);
    const mayBeAt = () => (count++, true);
    const isErased = ({ path }: { path: string }) => (count++, path === 'file-0');
    expect(versionsIn(history, mayBeAt)).toHaveLength(commits);
    const { dropped, blobs } = filterExport(history, 'refs/heads/new', { mayBeAt, isErased });
    expect([dropped, blobs.length]).toEqual([commits / 2, commits / 2]);
    return count;
  };
  expect(asked(4000)).toBe(10 * asked(400));
});

test('a path at which nothing is erased is not judged, and stays as it is', () => {
  const { stream, dropped } = filterExport(exported(3), 'refs/heads/main', {
    mayBeAt: () => false,
    isErased: () => true,
  });
  expect(dropped).toBe(0);
  expect(stream.toString().match(/^M .*$/gm)).toEqual(
    exported(3)
      .toString()
      .match(/^M .*$/gm),
  );
});

test('a blob that another file still has is none that is gone', () => {
  const history = exported(2)
    .toString()
    .replaceAll(/0{39}2/g, `${'0'.repeat(39)}1`);
  const { blobs, dropped } = filterExport(Buffer.from(history), 'refs/heads/main', {
    mayBeAt: (path) => path === 'file-0',
    isErased: () => true,
  });
  expect([blobs, dropped]).toEqual([[], 1]);
});
