import { remark } from 'remark';
import { describe, expect, test } from 'vitest';
import { TARGETS, type ExportedAgent, type ExportTarget } from '../../compiler/export/exported-agent.ts';
import { AGENTS_MD_BYTES, COPILOT_LETTERS } from '../../compiler/export/limits.ts';
import { FORMATS, provenanceIn, renderAgent } from '../../compiler/export/targets.ts';
import { agentWith, frontOf, unit } from './exported.ts';

const render = (target: ExportTarget, agent: ExportedAgent) => renderAgent(agent, FORMATS[target]);
const fileIn = (target: ExportTarget, agent: ExportedAgent, path: string) =>
  render(target, agent).files.get(path) ?? '';

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

  test('every file names the facts with their versions and the revision, and the same agent gives the same bytes', () => {
    const { files } = render(target, agentWith(units));
    const named = new Set<string>();
    for (const [path, text] of files) {
      const provenance = provenanceIn(path, text);
      expect(provenance).toMatchObject({ format: 1, target, agent: 'cto', revision: agentWith([]).revision });
      for (const uri of Object.keys(provenance?.facts ?? {})) named.add(uri);
    }
    expect([...named].sort()).toEqual(units.map((it) => it.uri).sort());
    expect([...render(target, agentWith(units)).files]).toEqual([...files]);
  });

  test('a description or a role is never markup, front matter or provenance', () => {
    const description = 'x --> <!-- vade export {"agent":"ceo"} --> # "y": [z] --- `w`';
    const hostile = agentWith([unit('refunds', { description, intents: [': - null', "'"] })], {
      role: '---\u0020<!-- x',
    });
    for (const [path, text] of render(target, hostile).files) {
      expect(provenanceIn(path, text)).toMatchObject({ agent: 'cto', target });
      if (!text.startsWith('---\n')) continue;
      expect(Object.keys(frontOf(text)).sort()).toEqual(
        Object.keys(frontOf(text))
          .filter((it) => KEYS.includes(it))
          .sort(),
      );
      expect(frontOf(text)['description']).toBe(`${description}. Use when: : - null; '`);
    }
  });

  test('a unit that imitates provenance does not change whose file it is', () => {
    const content =
      '<!-- vade export {"agent":"ceo","deployment":"acme","facts":{},"format":1,"revision":"1-0","target":"cursor"} -->\n';
    for (const [path, text] of render(target, agentWith([unit('refunds', { content })])).files)
      expect(provenanceIn(path, text)).toMatchObject({ agent: 'cto', target });
  });

  test('a link between units leads to the exported file, and of a link to one that is left the words stay', () => {
    const content =
      'See [limits](limits.md#top), [other](../ceo/other.md), [bad][b] and [web](https://example.com/limits.md).\n\n[b]: limits.md\n';
    const linked = agentWith([unit('limits'), unit('refunds', { content })]);
    const texts = [...render(target, linked).files.values()].join('\n');
    const href = FORMATS[target].href(unit('refunds'), unit('limits'));
    expect(texts).toContain(`[limits](${href}), [other](../ceo/other.md)`);
    expect(texts).toContain(`[web](https://example.com/limits.md).\n\n[b]: ${href}`);
    const huge = unit('limits', { content: 'x\n'.repeat(40_000) });
    const without = [...render(target, agentWith([huge, unit('refunds', { content })])).files.values()].join('\n');
    expect(without).toContain('See limits, [other]');
  });
});

const KEYS = ['alwaysApply', 'applyTo', 'description', 'globs', 'metadata', 'name'];

describe('AGENTS.md', () => {
  test('a unit’s headings are below those of the units, so that none can pass for another unit', () => {
    const content = '# Top\n\n## limits\n\nForged\n===\n\n```md\n# kept\n```\n\ntext\n';
    const text = fileIn('agents-md', agentWith([unit('refunds', { content }), unit('wrap-up')]), 'AGENTS.md');
    expect(sectionsIn(text)).toEqual(['# CTO', '## refunds', '## wrap-up']);
    expect(text).toContain('### Top\n\n#### limits\n\n### Forged\n\n```md\n# kept\n```');
  });

  test('no heading of a unit is two levels below the one before it, if none of its text is', () => {
    const content = '# Top\n\n## Sub\n\n### Deep\n\n## Sub\n\ntext\n';
    const text = fileIn('agents-md', agentWith([unit('refunds', { content }), unit('wrap-up')]), 'AGENTS.md');
    const depths = [...text.matchAll(/^(#+) /gm)].map(([, marks = '']) => marks.length);
    expect(depths).toEqual([1, 2, 3, 4, 5, 4, 2]);
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

  test('it stays within what hosts read: what always applies comes first, and what has no room is named', () => {
    const many = Array.from({ length: 60 }, (_, i) => unit(`unit-${i}`, { content: 'Ünit. '.repeat(120) }));
    const { files, left } = render('agents-md', agentWith([unit('limits', { always: true }), ...many]));
    const text = files.get('AGENTS.md') ?? '';
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(AGENTS_MD_BYTES);
    expect(sectionsIn(text)[1]).toBe('## limits');
    const exported = sectionsIn(text).length - 1;
    expect(exported).toBeGreaterThan(15);
    expect(left.map((it) => it.reason)).toEqual(Array(61 - exported).fill('no_room'));
    expect(provenanceIn('AGENTS.md', text)?.left).toEqual(left);
  });

  test('where there is no room for the names of all that is left, their number is there', () => {
    const many = Array.from({ length: 700 }, (_, i) => unit(`unit-${i}`, { content: 'x '.repeat(500) }));
    const { files, left } = render('agents-md', agentWith(many));
    const text = files.get('AGENTS.md') ?? '';
    const provenance = provenanceIn('AGENTS.md', text);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(AGENTS_MD_BYTES);
    expect((provenance?.left?.length ?? 0) + (provenance?.more_left ?? 0)).toBe(left.length);
    expect(left.length + Object.keys(provenance?.facts ?? {}).length).toBe(700);
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
    expect(provenanceIn('vade-export.json', files.get('vade-export.json') ?? '')?.left).toEqual(left);
  });

  test('the description holds the intents that fit into 1,024 characters, and says when some do not', () => {
    const intents = Array.from({ length: 32 }, (_, i) => `${i} ${'long '.repeat(20)}`);
    const agent = agentWith([unit('refunds', { intents })]);
    const { description, name } = frontOf(fileIn('skills', agent, 'refunds/SKILL.md'));
    expect(name).toBe('refunds');
    expect(String(description)).toMatch(/^About refunds\. Use when: 0 long /);
    expect(String(description).length).toBeLessThanOrEqual(1024);
    expect(render('skills', agent).left).toEqual([{ unit: 'refunds', part: 'intents', reason: 'no_room' }]);
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

  test('where a format has no place for them, the provenance says so', () => {
    const without = (target: ExportTarget, path: string) => provenanceIn(path, fileIn(target, agent, path))?.without;
    expect(without('agents-md', 'AGENTS.md')).toEqual(['files']);
    expect(without('skills', 'forms/SKILL.md')).toEqual(['files']);
    expect(without('copilot', 'copilot-instructions.md')).toEqual(['files']);
    expect(without('cursor', 'limits.mdc')).toBeUndefined();
    expect(without('copilot', 'instructions/forms.instructions.md')).toBeUndefined();
  });
});

describe('Copilot', () => {
  test('what always applies is in the file of the repository, and other units apply to all files', () => {
    const agent = agentWith([unit('limits', { always: true }), unit('refunds')], { rules: 'Never lie.' });
    const { files } = render('copilot', agent);
    expect([...files.keys()].sort()).toEqual([
      'copilot-instructions.md',
      'instructions/refunds.instructions.md',
      'instructions/vade-export.json',
    ]);
    expect(files.get('copilot-instructions.md')).toContain('Never lie.\n\n## limits');
    expect(frontOf(files.get('instructions/refunds.instructions.md') ?? '')['applyTo']).toBe('**');
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
