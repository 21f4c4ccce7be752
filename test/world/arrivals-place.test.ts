import { realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { arrivalsPlace } from '../../compiler/world/arrivals-place.ts';
import { importsOf } from '../support/architecture.ts';
import { tempFolder } from '../support/folder.ts';
import { repository } from '../support/repository.ts';

describe('the place of arrivals', () => {
  test('a project has its private folder, and a scratch folder by its real path', () => {
    const project = realpathSync(tempFolder());
    const link = join(tempFolder(), 'link');
    symlinkSync(project, link);
    const place = arrivalsPlace(project);
    expect(place.folder).toBe(join(project, '.vade'));
    expect(place.scratch).toMatch(/\/vade-\d+\/[0-9a-f]{16}$/);
    expect(arrivalsPlace(link)).toEqual(place);
    expect(arrivalsPlace(tempFolder()).scratch).not.toBe(place.scratch);
  });

  test('a linked worktree shares the place of its main checkout', () => {
    const repo = repository().write('a.md', 'a');
    repo.commit();
    const worktree = join(tempFolder(), 'tree');
    repo.git('worktree', 'add', '--quiet', '--detach', worktree);
    expect(arrivalsPlace(worktree)).toEqual(arrivalsPlace(repo.path));
  });

  test('what a hook loads for its spool reaches no package', () => {
    const seen = new Set<string>();
    const visit = (file: string) => {
      if (seen.has(file)) return;
      seen.add(file);
      if (file.endsWith('.ts')) importsOf(file).forEach(visit);
    };
    ['compiler/world/arrivals-place.ts', 'compiler/io/files/arrivals-spool.ts'].forEach(visit);
    expect([...seen].filter((it) => !it.endsWith('.ts') && !it.startsWith('node:'))).toEqual([]);
  });
});
