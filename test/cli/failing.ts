import { expect } from 'vitest';
import { COMMANDS } from '../../compiler/cli/commands/index.ts';
import { ALWAYS, EXIT, exitsOf } from '../../compiler/cli/exit.ts';
import { ERRORS } from '../../compiler/schema/errors.ts';
import type { Ran } from '../support/cli.ts';

/** A line of a stack trace, which no user should see. */
const STACK = /\n\s+at .+|node:internal|\.[jt]s:\d+:\d+|UnhandledPromise|Warning:/;
const KEY_MATERIAL = /PRIVATE KEY|vade_[0-9a-z]{16}_[0-9a-f]{64}/;

/**
 * Checks what holds for every failed run: one envelope on stdout, an exit code that its command declares, no stack
 * trace and no key anywhere. Returns the exit code and the error code.
 */
export function failure(ran: Ran): readonly [exit: number | null, code: string] {
  expect(ran.stdout.trimEnd().split('\n')).toHaveLength(1);
  const { ok, data, error, warnings, meta, ...rest } = ran.envelope();
  expect({ ok, data, rest, exit_code: meta['exit_code'] }).toEqual({
    ok: false,
    data: null,
    rest: {},
    exit_code: ran.code,
  });
  expect(warnings).toBeInstanceOf(Array);
  expect(error).toMatchObject({
    code: expect.stringMatching(/^[A-Z][A-Z0-9_]+$/) as string,
    message: expect.stringMatching(/\S/) as string,
    retryable: expect.any(Boolean) as boolean,
    phase: expect.stringMatching(/^(validation|execution)$/) as string,
    context: expect.any(Object) as object,
  });
  const command = COMMANDS.get(String(meta['command']));
  const declared: readonly number[] = (command ? exitsOf(command) : [...ALWAYS, 'REDIRECTED' as const]).map(
    (it) => EXIT[it],
  );
  expect(declared).toContain(ran.code);
  // the error code is in the table, with the exit code that the command declares
  expect(new Map<string, { exit: number }>(Object.entries(ERRORS)).get(error.code.toLowerCase())?.exit).toBe(ran.code);
  expect(ran.stdout + ran.stderr).not.toMatch(STACK);
  expect(ran.stdout + ran.stderr).not.toMatch(KEY_MATERIAL);
  return [ran.code, error.code];
}
