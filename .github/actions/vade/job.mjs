// Inputs and outputs of a step of a job: the environment names their files.
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A reason to stop that is told as it is, with a code. */
export class Stop extends Error {
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

export const environment = (name) => process.env[name] ?? '';

/** Folder of the sources in the checkout. */
export const sourceFolder = () => environment('VADE_SOURCE') || 'instructions';

/** The trust root in the checkout. */
export const trustPath = () => environment('VADE_TRUST') || `${sourceFolder()}/trust/1.json`;

/** The event that started the workflow. */
export const readEvent = () => JSON.parse(readFileSync(environment('GITHUB_EVENT_PATH'), 'utf8'));

/** A fresh folder outside the checkout. */
export function workFolder() {
  const parent = environment('RUNNER_TEMP') || tmpdir();
  mkdirSync(parent, { recursive: true });
  return mkdtempSync(join(parent, 'vade-'));
}

/** Sets an output of the step; names and values are our own, on one line. */
export function output(name, value) {
  if (/[\r\n]/.test(value)) throw new Error(`the output ${name} has more than one line`);
  append('GITHUB_OUTPUT', `${name}=${value}\n`);
}

/** Adds Markdown to the page of the run. */
export const summary = (markdown) => append('GITHUB_STEP_SUMMARY', `${markdown}\n`);

function append(variable, text) {
  const file = environment(variable);
  if (file !== '') appendFileSync(file, text);
}

/** Tells something about the whole run. @param {'notice' | 'warning' | 'error'} severity */
export function annotate(severity, title, message) {
  const escaped = message.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  console.log(`::${severity} title=${title}::${escaped}`);
}
