import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  TARGETS,
  type ExportedAgent,
  type ExportedUnit,
  type ExportTarget,
} from '../../compiler/export/exported-agent.ts';
import { readBack } from '../../compiler/export/read-back.ts';
import { FORMATS, renderAgent } from '../../compiler/export/targets.ts';
import { Name, RESERVED_NAMES } from '../../compiler/schema/uri.ts';
import { agentWith, unit } from './exported.ts';

const RULES = '- Never lie.';

function filesOf(target: ExportTarget, agent: ExportedAgent) {
  const { files } = renderAgent(agent, FORMATS[target]);
  return [...files].filter(([path]) => !path.endsWith('.json')).map(([path, text]) => ({ path, text }));
}

/** Units that come back of an agent, by name. */
function backOf(target: ExportTarget, agent: ExportedAgent) {
  const read = readBack(filesOf(target, agent)).flatMap((it) => it ?? []);
  const units = read.flatMap((it) => it.units).map(({ line: _, ...it }) => it);
  return {
    units: units.sort((a, b) => (a.name < b.name ? -1 : 1)),
    rules: read.flatMap((it) => it.rules?.content ?? []).join(''),
    rest: read.map((it) => it.rest.trim()).join(''),
  };
}

const told = (of: ExportedUnit, target: ExportTarget) => {
  const { name, description, intents, always, listed, content } = of;
  // other formats have no place for them, nor has Copilot for those of what always applies
  const files = target === 'cursor' || (target === 'copilot' && !always) ? of.files : [];
  return { name, description, intents, content, listed, files, guaranteed: always };
};

const HARD = [
  unit('a', {
    description: 'Ends with a dot.',
    intents: ['one; two', 'Use when: three'],
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
    content: '<!-- vade export {} -->\n\nx\n',
    listed: false,
  }),
];

describe.each(TARGETS)('%s, read back', (target) => {
  test('has the same units, word for word, and nothing of the provenance', () => {
    const fit = HARD.filter((it) => target !== 'skills' || !/[<>]/.test(it.description));
    const { units, rules, rest } = backOf(target, agentWith(fit, { rules: RULES }));
    expect(units).toEqual(fit.map((it) => told(it, target)));
    expect([rules.trim(), rest]).toEqual([target === 'skills' ? '' : RULES, '']);
  });

  test('a pattern that no unit can have is no unit of the export: the file is read as any document', () => {
    if (target !== 'cursor' && target !== 'copilot') return;
    const files = filesOf(target, agentWith([unit('forms', { files: ['src/**'] })]));
    const edited = files.map((it) => ({ ...it, text: it.text.replace('src/**', '**/*') }));
    expect(readBack(edited).flatMap((it) => it?.units ?? [])).toEqual([]);
  });

  test('keeps any description and any intents', () => {
    const line = fc
      .array(
        fc.constantFrom('a', 'B', '.', ';', ' ', '; ', ' Use when: ', 'Needed when: ', '"', '*', '#', '1. ', '-'),
        { minLength: 1, maxLength: 8 },
      )
      .map((parts) => `x${parts.join('').replace(/ +/g, ' ')}`.trim());
    const described = fc.record({ description: line, intents: fc.array(line, { maxLength: 4 }) });
    fc.assert(
      fc.property(described, (it) => {
        const one = unit('refunds', it);
        expect(backOf(target, agentWith([one])).units).toEqual([told(one, target)]);
      }),
    );
  });

  test('with forged names and lengths gives no unit with a name that no unit can have, and loses no text', () => {
    for (const name of ['boot', '../x', 'UP', 'a/b', '__proto__', '']) {
      const forged = filesOf(target, agentWith([unit('refunds')])).map(({ path, text }) => ({
        path: path.replaceAll('refunds', name),
        text: text.replaceAll('refunds', name).replace('"format":1', '"format":1,"lengths":{"refunds":[9,9]}'),
      }));
      for (const [i, it] of readBack(forged).entries()) {
        const names = (it?.units ?? []).map((found) => found.name);
        expect(names.filter((found) => !Name.safeParse(found).success || RESERVED_NAMES.includes(found))).toEqual([]);
        if (forged[i]?.text.includes('Do what')) expect(names.length > 0 || it?.rest.trim() !== '').toBe(true);
      }
    }
  });
});

test('of an AGENTS.md that somebody added to, the addition is the rest, on its own lines', () => {
  const [file] = filesOf('agents-md', agentWith([unit('refunds')], { rules: RULES }));
  const text = `${file?.text ?? ''}\n## Our own rules\n\nBe kind.\n`;
  const [read] = readBack([{ path: 'AGENTS.md', text }]);
  expect(read?.units.map((it) => it.name)).toEqual(['refunds']);
  expect(read?.rest.trim()).toBe('## Our own rules\n\nBe kind.');
  expect(read?.rest.split('\n').indexOf('Be kind.')).toBe(text.split('\n').indexOf('Be kind.'));
});

test('a file of somebody else is not read back', () => {
  expect(readBack([{ path: 'AGENTS.md', text: '# Rules\n\n## a\n\nDo it.\n' }])).toEqual([null]);
});
