import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { runGate } from './run-gate.ts';

const read = () => readFileSync(0, 'utf8');
const machine = { env: process.env, home: homedir(), gate: process.argv[1] ?? '', now: Date.now() };
const { exit, stdout, stderr } = runGate(process.argv.slice(2), read, machine);
if (stdout !== '') process.stdout.write(stdout);
if (stderr !== '') process.stderr.write(stderr);
process.exitCode = exit;
