// GitHub's API, by its own command line, which takes the token from GH_TOKEN.
import { execFileSync } from 'node:child_process';
import { Stop } from './job.mjs';

const MOST_BYTES = 16 * 1024 * 1024;

/** The answer of an address, as bytes. @param {number} most bytes that are read of it */
export const bytesOf = (path, most = MOST_BYTES) => gh(['api', path], { maxBuffer: most });

/** The answer of an address, as JSON. */
export const get = (path) => JSON.parse(bytesOf(path).toString('utf8'));

/** Every page of a list, up to a number of them. */
export function* pagesOf(path, most = 20) {
  for (let page = 1; page <= most; page++) {
    const entries = get(`${path}${path.includes('?') ? '&' : '?'}per_page=100&page=${page}`);
    yield* entries;
    if (entries.length < 100) return;
  }
}

/** Sends a body; it comes on stdin, so none of its text is an argument. */
export function send(method, path, body) {
  gh(['api', '--method', method, path, '--input', '-'], { input: JSON.stringify(body) });
}

function gh(args, options) {
  try {
    return execFileSync('gh', args, { stdio: ['pipe', 'pipe', 'inherit'], maxBuffer: MOST_BYTES, ...options });
  } catch ({ status, code }) {
    // ENOBUFS: an answer above its limit
    throw new Stop('hub_failed', `gh api failed: ${code ?? `exit ${status}`}`);
  }
}
