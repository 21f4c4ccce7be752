import { z } from 'zod';
import { CAPABILITY_ADD, CAPABILITY_CHECK, SOURCES } from '../../../capabilities/use-cases/flags.ts';
import { renderDiagnostic } from '../../../schema/diagnostics.ts';
import { VadeError } from '../../../schema/errors.ts';
import { defineCommand } from '../../registry.ts';

export const capabilityLintCommand = defineCommand({
  path: 'capability.lint',
  description: 'Report everything that is wrong with atoms and roles; runs the examples of every atom',
  danger: 'safe',
  flags: { ...SOURCES, ref: { type: 'string', description: 'Commit to lint; default: the working tree' } },
  exits: ['PRECONDITION', 'NOT_FOUND'],
  output: z.object({ files: z.int(), warnings: z.int() }),
  examples: [{ description: 'Before a commit', command: 'vade capability lint' }],
  run: async (args, world) => {
    const { readSources } = await import('../../../world/read-sources.ts');
    const { lintCapabilityFiles } = await import('../../../capabilities/use-cases/lint-files.ts');
    const { faults, files } = await lintCapabilityFiles(await readSources(args, world));
    for (const it of faults) world.say(renderDiagnostic(it));
    const errors = faults.filter((it) => it.severity === 'error').length;
    const warnings = faults.length - errors;
    const counted = `${errors} errors and ${warnings} warnings in ${files} files`;
    if (errors > 0) throw new VadeError('sources_invalid', counted, { faults });
    return {
      data: { files, warnings },
      text: counted,
      warnings: faults.map((it) => ({ code: it.rule.toUpperCase(), message: it.message, context: it })),
    };
  },
});

export const capabilityAddCommand = defineCommand({
  path: 'capability.add',
  description: 'Copy atoms and roles of the library into a handbook; a role brings its atoms along',
  danger: 'mutating',
  flags: CAPABILITY_ADD,
  exits: ['NOT_FOUND', 'CONFLICT'],
  output: z.object({
    effect: z.enum(['created', 'noop', 'would_create', 'would_noop']),
    written: z.array(z.string()),
    kept: z.array(z.string()),
  }),
  examples: [
    { description: 'A role with all its atoms', command: 'vade capability add --role edit-local' },
    { description: 'One atom', command: 'vade capability add --atom policy::no-git-ops' },
  ],
  run: async (args, world) => {
    const { addCapabilities } = await import('../../../capabilities/use-cases/add-capabilities.ts');
    const { written, kept } = addCapabilities(args, world);
    const done = written.length === 0 ? 'noop' : args['dry-run'] ? 'create' : 'created';
    const effect = `${args['dry-run'] ? 'would_' : ''}${done}`;
    return { data: { effect, written, kept }, text: [`${effect}: ${written.length} files`, ...written] };
  },
});

const FindingShape = z.looseObject({ atom: z.string(), severity: z.string(), outcome: z.looseObject({}) });

export const capabilityCheckCommand = defineCommand({
  path: 'capability.check',
  description: 'Check one tool call on stdin against every atom of a role, and say why it is denied',
  danger: 'safe',
  flags: CAPABILITY_CHECK,
  exits: ['PARTIAL_FAILURE', 'PRECONDITION', 'NOT_FOUND', 'PERMISSION_DENIED'],
  output: z.object({ verdict: z.literal('allow'), findings: z.array(FindingShape) }),
  examples: [
    {
      description: 'Would the gate let this through',
      command: 'vade capability check --role edit-local --bundle bundle --trust root.json',
    },
  ],
  run: async (args, world) => {
    const { checkEvent } = await import('../../../capabilities/use-cases/check-event.ts');
    const { findings, denied } = await checkEvent(await world.stdin(), args, world);
    const lines = findings.map(({ atom, severity, outcome }) => {
      const why = outcome.outcome === 'deny' ? `: ${outcome.rule}. Instead: ${outcome.instead}` : '';
      return `${atom} (${severity}) ${outcome.outcome}${why}`;
    });
    world.say(lines);
    const [first] = denied;
    if (first?.outcome.outcome === 'deny') {
      const message = `${first.atom}: ${first.outcome.rule}`;
      throw new VadeError('call_denied', message, { findings, suggestion: first.outcome.instead });
    }
    return { data: { verdict: 'allow', findings }, text: 'allow' };
  },
});
