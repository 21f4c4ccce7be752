import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Test files by what they need; every one is in exactly one of these projects. */
export interface Projects {
  /** Starts no process: these share one process a worker. */
  readonly pure: readonly string[];
  /** Starts git, `vade` or a server: each in a process of its own. */
  readonly integration: readonly string[];
  /** `*.slow.test.ts`: kills, faults, PostgreSQL, Chromium, hostile and large input. */
  readonly slow: readonly string[];
}

/**
 * Modules that start processes or threads of built code, or listen; a test that reaches one of them through files of
 * `test/` is not pure. Neither is one that replaces a module for its own process.
 */
const OUTSIDE =
  /^node:(child_process|worker_threads|http|net|tls|cluster)$|^server\/(http|main|audit\/open|audit\/sqlite)\b|^vi\.mock$/;
const IMPORT = /(?:from|import|import\() ?'(node:[^']+|\.[^']+)'|(vi\.mock)\(/g;

/** Sorts the test files below `test/` into projects, by their names and by what they import. */
export function projectsOf(root: string): Projects {
  const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .map((path) => `test/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.test.ts'))
    .sort();
  const reaches = reachesOutside(root);
  const slow = files.filter((path) => path.endsWith('.slow.test.ts'));
  const fast = files.filter((path) => !path.endsWith('.slow.test.ts'));
  return { pure: fast.filter((it) => !reaches(it)), integration: fast.filter(reaches), slow };
}

function reachesOutside(root: string): (path: string) => boolean {
  const known = new Map<string, boolean>();
  const reaches = (path: string): boolean => {
    const answer = known.get(path);
    if (answer !== undefined) return answer;
    // two helpers that import each other: the answer comes from what else they import
    known.set(path, false);
    const found = importsOf(root, path).some((it) => OUTSIDE.test(it) || (it.startsWith('test/') && reaches(it)));
    known.set(path, found);
    return found;
  };
  return reaches;
}

/** Imports of a file; of none, where a text only looks like an import of it. */
function importsOf(root: string, path: string): string[] {
  if (!existsSync(join(root, path))) return [];
  const text = readFileSync(join(root, path), 'utf8');
  return [...text.matchAll(IMPORT)].map(([, to = '', mock = '']) =>
    to.startsWith('.') ? join(dirname(path), to) : to || mock,
  );
}
