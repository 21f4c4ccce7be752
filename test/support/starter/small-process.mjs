// Starts programs for a process of tests: a line of JSON for each asks, and a line answers.
import { spawnSync } from 'node:child_process';
import { openSync, readSync, writeSync } from 'node:fs';

const [asked, answers] = process.argv.slice(2);
const input = openSync(asked, 'r');
const output = openSync(answers, 'w');
const chunk = Buffer.alloc(64 * 1024);

let rest = '';
// an end is the end of the tests' process
for (let size; (size = readSync(input, chunk)) > 0;) {
  rest += chunk.toString('latin1', 0, size);
  for (let end; (end = rest.indexOf('\n')) !== -1; rest = rest.slice(end + 1)) answer(rest.slice(0, end));
}

/** Lines are base64: a part of a character is never at the end of a chunk. */
function answer(line) {
  const { program, args, options } = JSON.parse(Buffer.from(line, 'base64').toString('utf8'));
  const ran = spawnSync(program, args, {
    ...options,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: Infinity,
  });
  const { status, stdout, stderr, error } = ran;
  const told = JSON.stringify({ status, stdout, stderr, error: error?.message ?? null });
  const bytes = Buffer.from(`${Buffer.from(told).toString('base64')}\n`);
  for (let at = 0; at < bytes.length;) at += writeSync(output, bytes, at);
}
