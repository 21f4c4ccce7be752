import { z } from 'zod';
import { readPathPattern } from '../path-grammar.ts';

/** The form of an entry as an editor can check it: no `!` or `/` at its start, no `..`, no control character. */
const INSIDE = /^(?![!/])(?!(?:.*\/)?\.\.(?:\/|$))[^\u0000-\u001f\u007f]+$/;

/** An entry of a list of files that can match a path of the repository, as a schema; the gate reads it without one. */
export const PathPattern = z
  .string()
  .max(512)
  .regex(INSIDE, { abort: true, error: 'write it relative to the repository, without ! and ..' })
  .check(({ value, issues }) => {
    const why = readPathPattern(value);
    if (typeof why !== 'string') return;
    const params = { help: 'write a path of the repository, such as src/** or .github' };
    issues.push({ code: 'custom', input: value, message: `“${value}” can match no path: it ${why}`, params });
  });
