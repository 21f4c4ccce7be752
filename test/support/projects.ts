import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Test files by what they need; every one is in exactly one of these projects. */
export interface Projects {
  /** Starts no process: these share one process a worker. */
  readonly pure: readonly string[];
  /**
   * Starts git, `vade` or a server. A group shares one process a worker, since loading the sources costs more than many
   * tests do; a process that ran them all would grow until each start of git took as long as that.
   */
  readonly integration: readonly (readonly string[])[];
  /** The same for tests that replace a module for their whole process: each file has one of its own. */
  readonly isolated: readonly string[];
  /**
   * `*.slow.test.ts`: kills, faults, PostgreSQL, Chromium, hostile and large input, and whole programs that are started
   * again and again; in groups as well.
   */
  readonly slow: readonly (readonly string[])[];
  /** Those of them that replace a module. */
  readonly slowIsolated: readonly string[];
}

/**
 * Most files of one group. Each worker of a group loads all sources first, which takes seconds, and grows by 3 MB a
 * file; a start of git takes 0.4 ms longer for each 100 MB. With 80 files a worker has 650 MB at most; with
 * all files in one group, starts of git cost more than loading saves.
 */
const GROUP = 80;

/**
 * Modules that start processes or threads of built code, or listen; a test that reaches one of them through files of
 * `test/` is not pure.
 */
const OUTSIDE =
  /^node:(child_process|worker_threads|http|net|tls)$|^server\/(http|main|stdio|audit\/open|audit\/sqlite)\b/;
const MOCK = /^vi\.mock$/;
/** Support of the tests of services: they reach a PostgreSQL or a Chromium of their own machine. */
const SERVICES = /^test\/support\/(postgres|chromium)[a-z-]*\.ts$/;
const IMPORT = /(?:from|import|import\() ?'(node:[^']+|\.[^']+)'|(vi\.mock)\(/g;

/** Sorts the test files below `test/` into projects, by their names and by what they import. */
export function projectsOf(root: string): Projects {
  const files = testFiles(root);
  const isOutside = reaches(root, OUTSIDE);
  const isMocking = reaches(root, MOCK);
  const alone = files.filter(isMocking);
  const shared = files.filter((it) => !isMocking(it));
  const fast = shared.filter((path) => !isSlow(path));
  return {
    pure: fast.filter((it) => !isOutside(it)),
    integration: groupsOf(fast.filter(isOutside)),
    isolated: alone.filter((path) => !isSlow(path)),
    slow: groupsOf(shared.filter(isSlow)),
    slowIsolated: alone.filter(isSlow),
  };
}

/** Groups of about the same size: a small one would load all sources for a few files. */
function groupsOf(files: readonly string[]): string[][] {
  const count = Math.ceil(files.length / GROUP);
  const startOf = (at: number) => Math.ceil((at * files.length) / count);
  return Array.from({ length: count }, (_, at) => files.slice(startOf(at), startOf(at + 1)));
}

/** Test files that need a service of the machine and do not say so by their name. */
export function undeclaredSlow(root: string): string[] {
  return testFiles(root)
    .filter((path) => !isSlow(path))
    .filter(reaches(root, SERVICES));
}

const isSlow = (path: string): boolean => path.endsWith('.slow.test.ts');

function testFiles(root: string): string[] {
  return readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .map((path) => `test/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.test.ts'))
    .sort();
}

/** Whether a file imports what `wanted` matches, itself or through other files of `test/`. */
function reaches(root: string, wanted: RegExp): (path: string) => boolean {
  const known = new Map<string, boolean>();
  const isReached = (path: string): boolean => {
    const answer = known.get(path);
    if (answer !== undefined) return answer;
    // two helpers that import each other: the answer comes from what else they import
    known.set(path, false);
    const found = importsOf(root, path).some((it) => wanted.test(it) || (it.startsWith('test/') && isReached(it)));
    known.set(path, found);
    return found;
  };
  return isReached;
}

/** Imports of a file; of none, where a text only looks like an import of it. */
function importsOf(root: string, path: string): string[] {
  if (!existsSync(join(root, path))) return [];
  const text = readFileSync(join(root, path), 'utf8');
  return [...text.matchAll(IMPORT)].map(([, to = '', mock = '']) =>
    to.startsWith('.') ? join(dirname(path), to) : to || mock,
  );
}
