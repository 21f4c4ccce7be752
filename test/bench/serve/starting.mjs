// How late an event loop is while git is started 25 times a second: node starting.mjs <megabytes> none|process|thread
import { spawn } from 'node:child_process';
import { setTimeout as after } from 'node:timers/promises';
import { isMainThread, Worker } from 'node:worker_threads';

const EVERY_MS = 40;
const SECONDS = 4;
const starts = [];

function start() {
  const began = performance.now();
  spawn('git', ['version']).on('close', () => undefined);
  starts.push(performance.now() - began);
}

async function late() {
  const times = [];
  for (const end = performance.now() + SECONDS * 1000; performance.now() < end;) {
    const began = performance.now();
    await after(1);
    times.push(performance.now() - began - 1);
  }
  return times;
}

if (!isMainThread) {
  setInterval(start, EVERY_MS);
} else {
  const [megabytes, where] = process.argv.slice(2);
  const held = Array.from({ length: Number(megabytes) }, () => Buffer.alloc(2 ** 20, 1));
  if (where === 'process') setInterval(start, EVERY_MS);
  if (where === 'thread') new Worker(new URL(import.meta.url));
  await after(500);
  const times = await late();
  process.stdout.write(JSON.stringify({ late: times, starts, held: held.length }), () => process.exit());
}
