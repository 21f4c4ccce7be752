import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  TARGETS,
  type ExportedAgent,
  type ExportedUnit,
  type ExportTarget,
} from '../../compiler/export/exported-agent.ts';
import { indicesFor, readBack } from '../../compiler/export/read-back.ts';
import { renderAgent } from '../../compiler/export/targets.ts';
import { countTokens } from '../../compiler/io/models/tokens.ts';
import { Name, RESERVED_NAMES } from '../../compiler/schema/uri.ts';
import { agentWith, unit } from './exported.ts';

const RULES = '- Never lie.';

/** The files of an export, its index first. */
function filesOf(target: ExportTarget, agent: ExportedAgent) {
  const files = [...renderAgent(agent, target, countTokens).files].map(([path, text]) => ({ path, text }));
  return [
    ...files.filter(({ path }) => path.endsWith('.json')),
    ...files.filter(({ path }) => !path.endsWith('.json')),
  ];
}

/** Units that come back of an agent, by name. */
function backOf([index, ...files]: ReturnType<typeof filesOf>) {
  const read = readBack(files, index ? [index] : []).flatMap((it) => it ?? []);
  const units = read.flatMap((it) => it.units).map(({ line: _, ...it }) => it);
  return {
    units: units.sort((a, b) => (a.name < b.name ? -1 : 1)),
    rules: read.flatMap((it) => it.rules?.content ?? []).join(''),
    rest: read.map((it) => it.rest.trim()).join(''),
  };
}

const told = ({ name, description, intents, keywords, always, listed, content, files, source }: ExportedUnit) => {
  return { name, description, intents, keywords, content, listed, files, source, guaranteed: always };
};

const HARD = [
  unit('a', {
    description: 'Ends with a dot.',
    intents: ['one; two', 'Use when: three'],
    keywords: ['x'],
    always: true,
    files: ['lib/**'],
  }),
  unit('b', {
    description: 'Says it. Use when: never',
    content: '# T\n\n## U\n\nSee [c](c.md).\n\n***\n',
    files: ['src/**/*.{ts,tsx}', '*.md'],
  }),
  unit('c', { content: 'Needed when: it is in the text.\n\n- a\n  - b\n', listed: false }),
  unit('d', {
    description: '*bold* & <!-- x',
    intents: ['is it # this?'],
    content: '<!-- vade export cursor acme/cto -->\n\nx\n',
    listed: false,
  }),
  unit('e', { source: 'DOC.md:3', content: '# Doc\n\n## Long\n\nOne.\n' }),
  unit('f', { source: 'DOC.md:9', content: '## Long\n\n- two\n', files: ['pkg/**'] }),
  unit('g', { source: 'DOC.md:12', content: '## Long\n\n- three\n' }),
];

describe.each(TARGETS)('%s, read back', (target) => {
  test('has the same units, word for word, and nothing of the export', () => {
    const hasSkills = target === 'skills' || target === 'claude';
    const fit = HARD.filter((it) => !hasSkills || !/[<>]/.test(it.description));
    const { units, rules, rest } = backOf(filesOf(target, agentWith(fit, { rules: RULES })));
    expect(units).toEqual(fit.map(told));
    expect([rules.trim(), rest]).toEqual([target === 'skills' ? '' : RULES, '']);
  });

  test('a pattern that no unit can have is no unit of the export: the file is read as any document', () => {
    const [index, ...files] = filesOf(target, agentWith([unit('forms', { files: ['src/**/*.ts'] })]));
    const edited = { path: index?.path ?? '', text: index?.text.replace('src/**/*.ts', '**/*') ?? '' };
    const { units, rest } = backOf([edited, ...files]);
    expect([units, rest.includes('Do what forms says.')]).toEqual([[], true]);
  });

  test('keeps any text', () => {
    const line = fc.constantFrom('## H', '# H', 'a', '', '```\nx\n```', '- l', '    code');
    const content = fc.array(line, { minLength: 1, maxLength: 8 }).map((it) => `${it.join('\n').trim() || 'x'}\n`);
    const source = fc.constantFrom(null, 'A.md:1', 'A.md:2', 'B.md:1');
    fc.assert(
      fc.property(fc.array(fc.record({ content, source }), { minLength: 1, maxLength: 4 }), (all) => {
        const units = all.map((it, i) => unit(`u${i}`, it));
        const back = backOf(filesOf(target, agentWith(units))).units;
        expect(back.map(({ name, content: text }) => [name, text])).toEqual(
          units.map(({ name, content: text }) => [name, text]),
        );
      }),
    );
  });

  test('with forged names gives no unit with a name that no unit can have, and loses no text', () => {
    for (const name of ['boot', '../x', 'UP', 'a/b', '__proto__', '']) {
      const forged = filesOf(target, agentWith([unit('refunds')])).map(({ path, text }) => ({
        path,
        text: text.replace('"unit": "refunds"', `"unit": "${name}"`),
      }));
      const { units, rules, rest } = backOf(forged);
      const names = units.map((found) => found.name);
      expect(names.filter((found) => !Name.safeParse(found).success || RESERVED_NAMES.includes(found))).toEqual([]);
      expect(`${rules}${rest}`).toContain('Do what');
    }
  });
});

test('of an AGENTS.md that somebody added to, the addition is the rest, on its own lines', () => {
  const [index, file] = filesOf('agents-md', agentWith([unit('refunds')], { rules: RULES }));
  const text = `${file?.text ?? ''}\n## Our own rules\n\nBe kind.\n`;
  const [read] = readBack([{ path: 'AGENTS.md', text }], index ? [index] : []);
  expect(read?.units.map((it) => it.name)).toEqual(['refunds']);
  expect(read?.rest.trim()).toBe('## Our own rules\n\nBe kind.');
  expect(read?.rest.split('\n').indexOf('Be kind.')).toBe(text.split('\n').indexOf('Be kind.'));
});

test('a unit whose text somebody changed in AGENTS.md comes back changed, under its name', () => {
  const [index, file] = filesOf('agents-md', agentWith([unit('limits'), unit('refunds')]));
  const text = file?.text.replace('Do what limits says.', 'Do it.\n\nAlways.') ?? '';
  const [read] = readBack([{ path: 'AGENTS.md', text }], index ? [index] : []);
  expect(read?.units.map((it) => it.content)).toEqual(['Do it.\n\nAlways.\n', 'Do what refunds says.\n']);
});

test('a file of somebody else is not read back, and one without its index is text', () => {
  const [, file] = filesOf('cursor', agentWith([unit('refunds')]));
  const [read, other] = readBack([file ?? { path: '', text: '' }, { path: 'AGENTS.md', text: '# Rules\n' }], []);
  expect([read?.units, read?.rest.includes('vade export'), other]).toEqual([[], false, null]);
});

test('the index of a file is beside it or above it', () => {
  expect(indicesFor('pkg/AGENTS.md')).toEqual(['vade-export.json', 'pkg/vade-export.json']);
});
