import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { findCommand, parseArguments } from '../compiler/cli/arguments.ts';
import { REGISTRY } from '../compiler/cli/commands/index.ts';
import { commandsOf, readWorkflow, stepsOf, WORKFLOWS } from './support/workflows.ts';

/** What a workflow may write, and why; everything else may be read alone. */
const MAY_WRITE = new Set([
  'codeql.yml jobs.analyze security-events', // its findings
]);

/** The events that start a workflow without the rights of a stranger’s pull request. */
const EVENTS = ['pull_request', 'push', 'schedule', 'workflow_dispatch'];

const scripts = Object.keys(
  (JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }).scripts,
);

const files = readdirSync(WORKFLOWS).sort();

describe.each(files)('the workflow %s', (file) => {
  const workflow = readWorkflow(file);
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
    for (const line of uses) expect(line).toMatch(/uses: [\w.-]+\/[\w./-]+@[0-9a-f]{40} # v\d+(\.\d+)*$/);
  });

  test('a workflow leaves no token in the clone, and each job has a time limit', () => {
    const clones = steps.filter((it) => it.uses?.startsWith('actions/checkout@'));
    expect(clones).toHaveLength(Object.keys(workflow.jobs).length);
    for (const { with: options } of clones) expect(options?.['persist-credentials']).toBe(false);
    for (const job of Object.values(workflow.jobs)) expect(job['timeout-minutes']).toBeTypeOf('number');
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

test('all four programs occur in the workflows, so none of these tests is empty', () => {
  const all = files.flatMap((file) => stepsOf(readWorkflow(file)).flatMap(({ run }) => commandsOf(run ?? '')));
  const programs = all.map(([first = '']) => first);
  expect([...new Set(programs)].sort()).toEqual(['bash', 'node', 'npm', 'npx']);
});
