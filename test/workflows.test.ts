import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { workflowFiles } from '../compiler/app/workflow-files.ts';
import { findCommand, parseArguments } from '../compiler/cli/arguments.ts';
import { REGISTRY } from '../compiler/cli/commands/index.ts';
import {
  commandsOf,
  parseWorkflow,
  readWorkflow,
  stepsOf,
  WORKFLOWS,
  type Step,
  type Workflow,
} from './support/workflows.ts';

/** Permissions to write that a workflow may have, and why; everything else may be read alone. */
const MAY_WRITE = new Set([
  'codeql.yml jobs.analyze security-events', // its findings
  // the comment of a pull request, which a job of a fork may not write; it runs main's code on one file of data
  'comment.yml jobs.comment pull-requests',
  'vade-comment.yml jobs.comment pull-requests',
  // a release, which a person has approved: its provenance, its image, its notes
  'release.yml jobs.package id-token',
  'release.yml jobs.image attestations',
  'release.yml jobs.image id-token',
  'release.yml jobs.image packages',
  'release.yml jobs.action contents',
]);

/** The events that start a workflow without the rights of a stranger’s pull request, or without its code. */
const EVENTS = ['pull_request', 'merge_group', 'push', 'schedule', 'workflow_dispatch', 'workflow_run'];

/** Our own action comes with the checkout, or from a commit; every other one names its version too. */
const PINNED =
  /uses: (\.\/\.github\/actions\/vade|[\w.-]+\/[\w.-]+\/\.github\/actions\/vade@[0-9a-f]{40}|[\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+(\.\d+)*)$/;

const ACTION = '.github/actions/vade/action.yml';

const scripts = Object.keys(
  (JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }).scripts,
);

const files = readdirSync(WORKFLOWS).sort();

/** Workflows that `vade workflows` writes obey the same rules. */
const given = workflowFiles({
  repository: 'acme/vademecum',
  commit: '0123456789abcdef0123456789abcdef01234567',
  source: 'instructions',
});
const workflows: readonly (readonly [string, Workflow])[] = [
  ...files.map((file) => [file, readWorkflow(file)] as const),
  ...[...given].map(([path, text]) => [basename(path), parseWorkflow(text)] as const),
];

describe.each(workflows)('the workflow %s', (file, workflow) => {
  const steps = stepsOf(workflow);

  test('a workflow starts by events that give a stranger’s pull request no secret and no right', () => {
    const events = typeof workflow.on === 'string' ? [workflow.on] : Object.keys(workflow.on);
    expect(events.filter((it) => !EVENTS.includes(it))).toEqual([]);
    expect(events).not.toEqual([]);
  });

  test('a workflow may read the repository, and write only what is listed here', () => {
    expect(workflow.permissions).toEqual({ contents: 'read' });
    for (const [name, { permissions = {} }] of Object.entries(workflow.jobs)) {
      for (const [scope, right] of Object.entries(permissions))
        expect(right === 'read' || MAY_WRITE.has(`${file} jobs.${name} ${scope}`), `${name} ${scope}`).toBe(true);
    }
  });

  test('a workflow pins every action to a commit, and names its version', () => {
    const uses = workflow.text.split('\n').filter((line) => /^\s*(?:- )?uses:/.test(line));
    expect(uses).toHaveLength(steps.filter((it) => it.uses !== undefined).length);
    for (const line of uses) expect(line).toMatch(PINNED);
  });

  test('a workflow leaves no token in the clone, and each job has a time limit', () => {
    const clones = steps.filter((it) => it.uses?.startsWith('actions/checkout@'));
    if (!('workflow_run' in Object(workflow.on))) expect(clones).toHaveLength(Object.keys(workflow.jobs).length);
    for (const { with: options } of clones) expect(options?.['persist-credentials']).toBe(false);
    for (const job of Object.values(workflow.jobs)) expect(job['timeout-minutes']).toBeTypeOf('number');
  });

  test('a workflow that may write takes no code of a pull request: it clones what main has', () => {
    const isAfter = 'workflow_run' in Object(workflow.on);
    const clones = steps.filter((it) => it.uses?.startsWith('actions/checkout@'));
    for (const { with: options } of isAfter ? clones : [])
      expect(Object.keys(options ?? {})).toEqual(['persist-credentials']);
    if (isAfter)
      expect(steps.map(({ uses }) => uses)).not.toContainEqual(expect.stringMatching(/download-artifact|cache/));
  });

  test('a workflow puts no expression into a script: values come by the environment', () => {
    for (const { run = '' } of steps) expect(run).not.toContain('${{');
  });

  const commands = steps.flatMap(({ run }) => commandsOf(run ?? ''));

  test.each(commands.filter(([first]) => first === 'npm'))('“%s %s %s” names a script of package.json', (...words) => {
    const [, verb = '', name = ''] = words;
    expect(verb).toBe('run');
    expect(scripts).toContain(name);
  });

  test.each(commands.filter(([first]) => first === 'npx').map((it) => [it.slice(1).join(' '), it] as const))(
    '“%s” is a command line that vade takes',
    (_, [, program, ...words]) => {
      expect(program).toBe('vade');
      const { command, rest } = findCommand(words, REGISTRY);
      expect(command).not.toBeNull();
      expect(() => parseArguments(rest, command!)).not.toThrow();
    },
  );

  test.each(commands.filter(([first]) => first === 'node' || first === 'bash'))(
    '“%s %s” runs a file of this repository',
    (_, path = '') => {
      expect(readFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url))).length).toBeGreaterThan(0);
    },
  );

  test('a workflow runs npm, npx, node and bash alone', () => {
    const others = commands.map(([first]) => first).filter((it) => !['npm', 'npx', 'node', 'bash'].includes(it ?? ''));
    expect(others).toEqual([]);
  });
});

describe('our own action', () => {
  const text = readFileSync(ACTION, 'utf8');
  const action = parse(text) as {
    readonly inputs: Readonly<Record<string, unknown>>;
    readonly runs: { readonly steps: readonly Step[] };
  };
  const own = workflows.flatMap(([file, workflow]) => stepsOf(workflow).map((step) => [file, step] as const));
  const uses = own.filter(([, step]) => step.uses?.includes('.github/actions/vade'));

  test('the action pins what it uses, and puts no expression into a script', () => {
    for (const line of text.split('\n').filter((it) => it.includes('uses:'))) expect(line).toMatch(PINNED);
    for (const { run = '' } of action.runs.steps) expect(run).not.toContain('${{');
  });

  test('every script that the action runs is there', () => {
    const scripts = action.runs.steps.flatMap(
      ({ run = '' }) => /GITHUB_ACTION_PATH\/([\w-]+\.mjs)"$/.exec(run)?.[1] ?? [],
    );
    expect(scripts).toEqual(['build.mjs', 'run-step.mjs']);
    for (const script of scripts) expect(existsSync(`.github/actions/vade/${script}`)).toBe(true);
  });

  test('every workflow gives the action a step that it has, and no input that it has not', () => {
    expect(uses.length).toBeGreaterThan(4);
    for (const [, { with: options = {} }] of uses) {
      expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(Object.keys(options)));
      expect(existsSync(`.github/actions/vade/${String(options['step'])}.mjs`)).toBe(true);
    }
  });

  test('only a job without a pull request gets a secret', () => {
    const secret = uses.filter(([, { with: options = {} }]) => JSON.stringify(options).includes('secrets.'));
    expect(secret.map(([, { with: options }]) => options?.['step'])).toEqual(['main', 'schedule']);
  });

  test('the workflows that vade writes use the same commits of other actions as ours do', () => {
    const known = new Set(files.flatMap((file) => stepsOf(readWorkflow(file)).map(({ uses: it }) => it)));
    const others = [...given.values()].flatMap((it) => stepsOf(parseWorkflow(it)).map(({ uses: other }) => other));
    expect(others.filter((it) => !it?.includes('/vade@') && !known.has(it))).toEqual([]);
    expect(others.length).toBeGreaterThan(5);
  });
});

test('all four programs occur in the workflows, so none of these tests is empty', () => {
  const all = files.flatMap((file) => stepsOf(readWorkflow(file)).flatMap(({ run }) => commandsOf(run ?? '')));
  const programs = all.map(([first = '']) => first);
  expect([...new Set(programs)].sort()).toEqual(['bash', 'node', 'npm', 'npx']);
});
