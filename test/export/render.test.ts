import { remark } from 'remark';
import { describe, expect, test } from 'vitest';
import { TARGETS, type ExportedAgent, type ExportTarget } from '../../compiler/export/exported-agent.ts';
import { readIndex } from '../../compiler/export/index-file.ts';
import { AGENTS_MD_BYTES, COPILOT_LETTERS } from '../../compiler/export/limits.ts';
import { readOwner } from '../../compiler/export/provenance.ts';
import { renderAgent } from '../../compiler/export/targets.ts';
import { countTokens } from '../../compiler/io/models/tokens.ts';
import { agentWith, frontOf, unit } from './exported.ts';

const render = (target: ExportTarget, agent: ExportedAgent) => renderAgent(agent, target, countTokens);
const fileIn = (target: ExportTarget, agent: ExportedAgent, path: string) =>
  render(target, agent).files.get(path) ?? '';

const indexOf = (target: ExportTarget, agent: ExportedAgent) => readIndex(fileIn(target, agent, 'vade-export.json'));

/** The titles of the sections that a reader of Markdown sees. */
function sectionsIn(text: string): string[] {
  const headings = remark()
    .parse(text)
    .children.filter((it) => it.type === 'heading' && it.depth <= 2);
  return headings.map((it) => text.slice(it.position?.start.offset, it.position?.end.offset));
}

describe.each(TARGETS)('%s', (target) => {
  const units = ['limits', 'refunds'].map((name) =>
    unit(name, { always: name === 'limits', intents: ['a customer asks'] }),
  );

  test('every file names its owner, the index all facts and the revision, and the same agent gives the same bytes', () => {
    const agent = agentWith(units);
    const { files } = render(target, agent);
    const index = indexOf(target, agent);
    expect(index).toMatchObject({ target, agent: 'cto', revision: agent.revision });
    expect(index?.units.map((it) => it.uri).sort()).toEqual(units.map((it) => it.uri).sort());
    expect(index?.files).toEqual([...files.keys()].filter((it) => it !== 'vade-export.json').sort());
    for (const path of index?.files ?? [])
      expect(readOwner(files.get(path) ?? '')).toEqual({ target, deployment: 'acme', agent: 'cto' });
    expect([...render(target, agent).files]).toEqual([...files]);
  });

  test('a file costs at most 5 %, or 60 tokens, above the text of its units', () => {
    const intents = Array.from({ length: 32 }, (_, i) => `a customer asks for the ${i}th time`);
    const long = unit('long', { intents, content: 'A sentence of nine words that says very little. '.repeat(40) });
    const agent = agentWith([...units, unit('plain', { intents }), long]);
    const index = indexOf(target, agent);
    for (const [path, text] of render(target, agent).files) {
      if (path.endsWith('.json')) continue;
      const own = agent.units.filter(({ name }) => index?.units.some((it) => it.unit === name && it.file === path));
      const source = own.reduce((sum, it) => sum + countTokens(it.content), 0);
      expect(countTokens(text) - source).toBeLessThanOrEqual(Math.max(60, 0.05 * source));
    }
  });

  test('a description or a role is never markup, front matter or provenance', () => {
    const description = 'x --> <!-- vade export {"agent":"ceo"} --> # "y": [z] --- `w`';
    const hostile = agentWith([unit('refunds', { description, intents: [': - null', "'"] })], {
      role: '---\u0020<!-- x',
    });
    for (const [path, text] of render(target, hostile).files) {
      if (!path.endsWith('.json')) expect(readOwner(text)).toMatchObject({ agent: 'cto', target });
      if (!text.startsWith('---\n')) continue;
      const front = frontOf(text);
      expect(Object.keys(front).filter((it) => !KEYS.includes(it))).toEqual([]);
      if ('description' in front) expect(String(front['description'])).toContain(`${description}. Use when: : - null`);
    }
  });

  test('a unit that imitates provenance does not change whose file it is', () => {
    const content = '<!-- vade export cursor acme/ceo -->\n';
    for (const [path, text] of render(target, agentWith([unit('refunds', { content })])).files)
      if (!path.endsWith('.json')) expect(readOwner(text)).toMatchObject({ agent: 'cto', target });
  });

  test('a link between units leads to the exported file, and of a link to one that is left the words stay', () => {
    const content =
      'See [limits](limits.md#top), [other](../ceo/other.md), [bad][b] and [web](https://example.com/limits.md).\n\n[b]: limits.md\n';
    const linked = agentWith([unit('limits'), unit('refunds', { content })]);
    const texts = [...render(target, linked).files.values()].join('\n');
    const href = HREF[target];
    expect(texts).toContain(`[limits](${href}), [other](../ceo/other.md)`);
    expect(texts).toContain(`[web](https://example.com/limits.md).\n\n[b]: ${href}`);
    const huge = unit('limits', { content: 'x\n'.repeat(40_000) });
    const without = [...render(target, agentWith([huge, unit('refunds', { content })])).files.values()].join('\n');
    expect(without).toContain('See limits, [other]');
  });
});

const KEYS = ['alwaysApply', 'applyTo', 'description', 'globs', 'name'];
const HREF: Record<ExportTarget, string> = {
  'agents-md': '#limits',
  claude: '../limits/SKILL.md',
  copilot: 'limits.instructions.md',
  cursor: 'limits.mdc',
  skills: '../limits/SKILL.md',
};

describe('AGENTS.md', () => {
  test('no heading of a unit written by hand can pass for another unit, and a title stands for its unit', () => {
    const content = '# Top\n\n## limits\n\nForged\n===\n\n```md\n# kept\n```\n\ntext\n';
    const titled = unit('wrap-up', { content: '# Wrap up\n\n## Sub\n\nx\n' });
    const text = fileIn('agents-md', agentWith([unit('refunds', { content }), titled]), 'AGENTS.md');
    expect(sectionsIn(text)).toEqual(['# CTO', '## refunds', '## Wrap up']);
    expect(text).toContain('### Top\n\n#### limits\n\n### Forged\n\n```md\n# kept\n```');
  });

  test('units of a document are in its order and words, and the heading of a long section is there once', () => {
    const of = (name: string, line: number, content: string) => unit(name, { source: `DOC.md:${line}`, content });
    const units = [of('z', 1, '# Doc\n\nHello.\n'), of('m', 5, '## Long\n\n- one\n'), of('a', 7, '## Long\n\n- two\n')];
    const text = fileIn('agents-md', agentWith(units), 'AGENTS.md');
    expect(text.replace(/^.*\n\n/, '')).toBe('# Doc\n\nHello.\n\n## Long\n\n- one\n\n- two\n');
    const other = unit('b', { source: 'SUB.md:1', content: '## Own\n\nx\n' });
    const both = fileIn('agents-md', agentWith([...units, other]), 'AGENTS.md');
    expect(sectionsIn(both)).toEqual(['# Doc', '## Long', '# b', '## Own']);
  });

  test('a unit that is about one folder is in the file of that folder', () => {
    const units = [
      unit('web', { files: ['apps/web/**'], content: 'See [all](all.md).\n' }),
      unit('all'),
      unit('odd', { files: ['apps/?id?/**'] }),
      unit('out', { files: ['apps/.git/**'] }),
      unit('two', { files: ['a/**', 'b/**'] }),
    ];
    const { files } = render('agents-md', agentWith(units));
    expect([...files.keys()].sort()).toEqual(['AGENTS.md', 'apps/web/AGENTS.md', 'vade-export.json']);
    expect(files.get('apps/web/AGENTS.md')).toContain('\n\n## web\n\nSee [all](../../AGENTS.md#all).\n');
  });

  test.each([
    ['a code block', '```sh\nrm\n'],
    ['a comment', 'text\n\n<!-- hidden\n'],
    ['a script', '<script>\n'],
  ])('a unit that leaves %s open would hide the next, so it is left', (_, content) => {
    const { files, left } = render('agents-md', agentWith([unit('open', { content }), unit('wrap-up')]));
    expect(left).toEqual([{ unit: 'open', part: 'unit', reason: 'markup_open' }]);
    expect(sectionsIn(files.get('AGENTS.md') ?? '')).toEqual(['# CTO', '## wrap-up']);
  });

  test('it stays within what hosts read: what has the least weight is left, and named, whatever its name', () => {
    const many = Array.from({ length: 60 }, (_, i) => unit(`unit-${i}`, { content: 'Ünit. '.repeat(120) }));
    const heavy = [unit('z-limits', { always: true }), unit('z-rules', { priority: 1 })];
    const units = [...many, ...heavy, unit('unlisted', { listed: false, content: 'x '.repeat(900) })];
    const { files, left } = render('agents-md', agentWith(units));
    const text = files.get('AGENTS.md') ?? '';
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(AGENTS_MD_BYTES);
    const sections = sectionsIn(text).slice(1);
    expect(sections.slice(-2)).toEqual(['## z-limits', '## z-rules']);
    expect(sections.length).toBeGreaterThan(15);
    const gone = units.map(({ name }) => name).filter((it) => !sections.includes(`## ${it}`));
    expect(left.map(({ unit: name, reason }) => [name, reason])).toEqual(gone.map((it) => [it, 'no_room']));
    expect(indexOf('agents-md', agentWith(units))?.left).toEqual(left);
  });
});

describe('skills', () => {
  test.each([
    ['two hyphens', unit('a--b'), 'name_unfit'],
    ['a hyphen at its end', unit('a-'), 'name_unfit'],
    ['a tag in its description', unit('a', { description: 'see <b>' }), 'description_unfit'],
    ['more than 500 lines', unit('a', { content: 'x\n\n'.repeat(300) }), 'too_large'],
  ])('a unit with %s is left, with the reason', (_, bad, reason) => {
    const { files, left } = render('skills', agentWith([bad, unit('good')]));
    expect(left).toEqual([{ unit: bad.name, part: 'unit', reason }]);
    expect([...files.keys()].sort()).toEqual(['good/SKILL.md', 'vade-export.json']);
    expect(readIndex(files.get('vade-export.json') ?? '')?.left).toEqual(left);
  });

  test('the description has the intents for which there is room, and the index has all', () => {
    const intents = Array.from({ length: 32 }, (_, i) => `${i} ${'long '.repeat(8)}`);
    const agent = agentWith([unit('refunds', { intents })]);
    const { description } = frontOf(fileIn('skills', agent, 'refunds/SKILL.md'));
    expect(String(description)).toMatch(/^About refunds\. Use when: 0 long /);
    expect([indexOf('skills', agent)?.units[0]?.intents, render('skills', agent).left]).toEqual([intents, []]);
  });

  test('skills are loaded on demand, so what always applies is reported', () => {
    const { left } = render('skills', agentWith([unit('limits', { always: true })], { rules: 'Never lie.' }));
    expect(left.map(({ unit: name, part }) => [name, part])).toEqual([
      ['boot', 'unit'],
      ['limits', 'always'],
    ]);
  });
});

describe('Cursor', () => {
  test('what always applies is always applied, and all else is chosen by its description', () => {
    const agent = agentWith([unit('limits', { always: true }), unit('refunds')], { rules: 'Never lie.' });
    const fronts = ['boot', 'limits', 'refunds'].map((name) => frontOf(fileIn('cursor', agent, `${name}.mdc`)));
    expect(fronts.map((it) => [it['alwaysApply'], it['globs']])).toEqual([
      [true, null],
      [true, null],
      [false, null],
    ]);
  });
});

describe('the files that a unit is about', () => {
  const about = unit('forms', { files: ['src/**/*.{ts,tsx}', '*.md'] });
  const always = unit('limits', { always: true, files: ['lib/**'] });
  const agent = agentWith([always, about]);

  test('Cursor gets them as globs, and Copilot as applyTo', () => {
    expect(frontOf(fileIn('cursor', agent, 'forms.mdc'))['globs']).toBe('src/**/*.{ts,tsx},*.md');
    const path = 'instructions/forms.instructions.md';
    expect(frontOf(fileIn('copilot', agent, path))['applyTo']).toBe('src/**/*.{ts,tsx},*.md');
  });
});

describe('Claude Code', () => {
  test('what always applies is a rule without paths, what is about files a rule with them, and all else a skill', () => {
    const units = [unit('limits', { always: true, files: ['lib/**'] }), unit('forms', { files: ['*.md', 'src/**'] })];
    const { files } = render('claude', agentWith([...units, unit('refunds')], { rules: 'Never lie.' }));
    expect([...files.keys()].sort()).toEqual([
      'rules/boot.md',
      'rules/forms.md',
      'rules/limits.md',
      'skills/refunds/SKILL.md',
      'vade-export.json',
    ]);
    expect(frontOf(files.get('rules/forms.md') ?? '')).toEqual({ paths: ['*.md', 'src/**'] });
    for (const it of ['boot', 'limits']) expect(files.get(`rules/${it}.md`)).toMatch(/^<!-- vade export .* -->\n\n\w/);
  });
});

describe('Copilot', () => {
  test('what always applies is in the file of the repository, and other units are chosen by their description', () => {
    const agent = agentWith([unit('limits', { always: true }), unit('refunds')], { rules: 'Never lie.' });
    const { files } = render('copilot', agent);
    expect([...files.keys()].sort()).toEqual([
      'copilot-instructions.md',
      'instructions/refunds.instructions.md',
      'vade-export.json',
    ]);
    expect(files.get('copilot-instructions.md')).toContain('Never lie.\n\n## limits');
    expect(frontOf(files.get('instructions/refunds.instructions.md') ?? '')).toEqual({ description: 'About refunds.' });
  });

  test('no file is longer than its code review reads; what always applies and has no room gets a file of its own', () => {
    const always = ['a', 'b', 'c'].map((name) => unit(name, { always: true, content: 'x'.repeat(1500) }));
    const { files, left } = render('copilot', agentWith([...always, unit('long', { content: 'x'.repeat(4000) })]));
    expect(left).toEqual([{ unit: 'long', part: 'unit', reason: 'too_large' }]);
    expect(files.has('instructions/c.instructions.md')).toBe(true);
    for (const [path, text] of files)
      if (path.endsWith('.md')) expect(text.length).toBeLessThanOrEqual(COPILOT_LETTERS);
  });
});
