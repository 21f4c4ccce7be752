import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { countTokens } from '../../../compiler/io/models/tokens.ts';
import { bootText } from '../../../compiler/migration/propose/always-lines.ts';
import { dissect } from '../../../compiler/migration/propose/split.ts';
import { proposeUnits } from './unsettled.ts';

const migrate = (text: string, path = 'AGENTS.md', existing = new Map<string, string>()) =>
  proposeUnits([{ path, text }], existing, { agent: 'x', countTokens });
const unit = (text: string, path?: string) => migrate(text, path).units[0]!;
const namesOf = (text: string) => migrate(text).units.flatMap((it) => (it.source === null ? [] : [it.name]));

describe('front matter of other tools', () => {
  it('is read where it is not YAML, as Cursor writes globs', () => {
    const text =
      '---\ndescription: Components\nglobs: *.tsx,**/*.css\nalwaysApply: false\n---\n\n- Props are typed here.\n';
    const { entries, notices, alwaysOn } = migrate(text, 'react.mdc');
    expect(entries[0]!.load_triggers!.keywords).toEqual(expect.arrayContaining(['tsx', 'css']));
    expect(notices.join('\n')).toContain('read line by line');
    expect(alwaysOn.boot).toBeNull();
  });

  it('names each file pattern once, however often it stands there', () => {
    const { text } = unit(`---\nglobs: ${'*.ts,'.repeat(50)}\n---\n\n## Plan\n\nThink first.\n`, 'a.mdc');
    expect(text.match(/\*\.ts/g)).toHaveLength(1);
  });

  it.each([
    ['Cursor', 'globs: src/**/*.{ts,tsx},*.md', 'a.mdc'],
    ['Copilot', 'applyTo: "src/**/*.{ts,tsx},*.md"', 'a.instructions.md'],
    ['Claude', 'paths:\n  - "src/**/*.{ts,tsx}"\n  - "*.md"', 'a.md'],
    ['a list on one line', 'globs: ["src/**/*.{ts,tsx}", "*.md"]', 'a.mdc'],
    ['a list that is no YAML', 'globs: [src/**/*.{ts,tsx}, *.md]', 'a.mdc'],
  ])('gives every unit of the document the files that it is for: %s', (_, line, path) => {
    const { units: all } = migrate(`---\n${line}\n---\n\n## Plan\n\nThink first.\n\n## Ship\n\nThen tag it.\n`, path);
    const units = all.filter((it) => it.source !== null);
    const fronts = units.map((it) => parse(it.text.split('---')[1] ?? '') as { files?: string[] });
    expect(fronts.map((it) => it.files)).toEqual(units.map(() => ['src/**/*.{ts,tsx}', '*.md']));
    expect(units.length).toBeGreaterThan(0);
  });

  it('lists patterns that no unit can have as left out: those for all files, negations and brackets', () => {
    const line = "globs: ['**/*', '!dist/**', 'app/[id]/**', 'src/**']";
    const { units, leftOut } = migrate(`---\n${line}\n---\n\n## Plan\n\nThink first.\n`, 'a.mdc');
    const left = leftOut.filter(({ what }) => what.startsWith('the file pattern'));
    expect(left.map(({ path, line, what }) => [path, line, what])).toEqual([
      ['a.mdc', 2, 'the file pattern **/*'],
      ['a.mdc', 2, 'the file pattern !dist/**'],
      ['a.mdc', 2, 'the file pattern app/[id]/**'],
    ]);
    expect(units[0]!.text).toContain('files:\n  - src/**\n');
  });

  it('reads a folder and a path from here as hosts do', () => {
    const { units } = migrate(
      '---\npaths: [src/components/, ./lib/**]\n---\n\n## Plan\n\nThink.\n',
      '.claude/rules/web.md',
    );
    expect(units[0]!.text).toContain('files:\n  - src/components/**\n  - lib/**\n');
  });

  it('gives units of a nested file its folder as files, and as part of a name that is generic or taken', () => {
    const documents = ['AGENTS.md', 'sdk/[go]/AGENTS.md'].map((path) => {
      return { path, text: `## Changelog\n\nThink first in ${path}.\n\n## Rules\n\nThen tag ${path}.\n` };
    });
    const { units } = proposeUnits(documents, new Map(), { agent: 'x', countTokens });
    expect(units.map(({ name }) => name)).toEqual(['changelog', 'rules', 'go-changelog', 'go-rules']);
    expect(units.map(({ text }) => /files:\n {2}- (.*)/.exec(text)?.[1])).toEqual([
      undefined,
      undefined,
      'sdk/?go?/**',
      'sdk/?go?/**',
    ]);
  });

  it.each([
    ['.github/AGENTS.md', '.github/**'],
    ['.github/copilot-instructions.md', undefined],
    ['.claude/CLAUDE.md', undefined],
    ['sdk/.cursor/rules/web.mdc', 'sdk/**'],
  ])('gives a hidden folder as any other, but for the folders of hosts: %s', (path, files) => {
    expect(/files:\n {2}- (.*)/.exec(migrate('## Plan\n\nThink.\n', path).units[0]!.text)?.[1]).toBe(files);
  });

  it('keeps as many patterns as a unit can have, and lists the others', () => {
    const globs = Array.from({ length: 20 }, (_, i) => `src/${i}/**`).join(',');
    const { leftOut } = migrate(`---\nglobs: ${globs}\n---\n\n## Plan\n\nThink first.\n`, 'a.mdc');
    expect(leftOut.filter(({ what }) => what.startsWith('the file pattern'))).toHaveLength(4);
  });

  it('gives a unit the situations that the description of a skill names', () => {
    const text =
      '---\nname: pdf\ndescription: "Reads invoices. Use when the user uploads an invoice."\n---\n\nRun the script.\n';
    expect(unit(text, 'pdf/SKILL.md').load_triggers!.intents).toContain('the user uploads an invoice');
  });

  it('is never evaluated, in whatever language it claims to be', () => {
    const text = '---js\n{ name: process.exit(1) }\n---\n\n## Plan\n\nThink first.\n';
    expect(namesOf(text)).toContain('plan');
  });
});

describe('joining small sections', () => {
  it('makes one unit of a heading whose sub-headings say little', () => {
    const incident = (title: string) => `## ${title}\n\n### Symptoms\n\nIt is slow.\n\n### Fix\n\nRestart it.\n\n`;
    const text = `# Runbook\n\n${incident('Queue is growing')}${incident('Disk is full')}`;
    expect(namesOf(text)).toEqual(['queue-is-growing', 'disk-is-full']);
  });

  it('names both headings in the words of sections that become one', () => {
    const text = '## Database\n\nWrite a migration for each change of the schema.\n\n## Style\n\nUse four spaces.\n';
    const [joined] = proposeUnits(
      [{ path: 'CLAUDE.md', text }],
      new Map(),
      { agent: 'x', countTokens },
      countTokens,
    ).units;
    expect([joined!.description, joined!.load_triggers!.intents]).toEqual(['Database: Style.', ['database', 'style']]);
  });

  it('names a sub-heading that repeats for the heading above it', () => {
    const long = 'Many words about how this is done in this place and in no other place at all. '.repeat(4);
    const text = ['Clusters', 'Databases'].map((it) => `## ${it}\n\n### Access\n\n${long}\n\n### Size\n\n${long}\n\n`);
    expect(namesOf(text.join(''))).toEqual(['clusters-access', 'clusters-size', 'databases-access', 'databases-size']);
  });

  it('makes no unit of a heading alone where the block below it is too large for a unit', () => {
    const { units, leftOut } = migrate(`## Long\n\n${'Some words. '.repeat(6000)}\n\n## Plan\n\nThink first.\n`);
    expect(units.filter(({ source }) => source !== null).map(({ name }) => name)).toEqual(['plan']);
    expect(leftOut.map(({ what }) => what)).toEqual(['Long']);
  });

  it('cuts a section between blocks where it is larger than a unit may be', () => {
    const block = `${'word '.repeat(4000)}\n\n`;
    const { units } = migrate(`## Long\n\n${block.repeat(6)}`);
    expect(units.filter(({ source }) => source !== null).length).toBe(6);
    for (const { text } of units) expect(Buffer.byteLength(text)).toBeLessThan(65_536);
  });
});

describe('rules that always hold', () => {
  const RULES = '## Boundaries\n\n- You MUST ask before you delete.\n- Never push to main.\n\n## Style\n\nTabs.\n';
  const linesIn = (path: string, text: string) => migrate(text, path).wordable.map(({ lines }) => lines.size);

  it('are chosen by nobody but an answer: each sentence stays in its unit, and limits are named', () => {
    const { alwaysOn, units } = migrate(RULES);
    expect(alwaysOn).toEqual({
      boot: null,
      unanswered: [{ path: 'AGENTS.md', line: 1, title: 'Boundaries' }],
      toGuarantee: [],
    });
    expect(units.map(({ name }) => name)).toEqual(['boundaries', 'style']);
  });

  it.each([
    ['.claude/rules/a.md', 'paths: ["src/**"]'],
    ['.github/instructions/a.instructions.md', 'applyTo: "**/*.ts"'],
    ['.cursor/rules/a.mdc', 'globs: "**/*.ts"'],
    ['.cursor/rules/a.mdc', 'description: Boundaries'],
    ['.cursor/rules/a.mdc', 'alwaysApply: false'],
    ['sdk/AGENTS.md', 'title: SDK'],
    ['docs/rules.md', 'title: Rules'],
  ])('are no lines of a document that a host does not read at its start: %s with %s', (path, line) => {
    expect(linesIn(path, `---\n${line}\n---\n\n${RULES}`)).toEqual([0, 0]);
  });

  it.each([
    ['AGENTS.md', 'title: Shop'],
    ['.github/copilot-instructions.md', 'applyTo: "**"'],
    ['.cursor/rules/a.mdc', 'alwaysApply: true'],
  ])('may be any line of a document that it reads there: %s with %s', (path, line) => {
    expect(linesIn(path, `---\n${line}\n---\n\n${RULES}`)).toEqual([2, 1]);
  });

  it('are written with the headings and the lead-in that they need, in the order of the document', () => {
    const text =
      '# Guide\n\n## Review\n\n**Don’t:**\n\n- Approve a change\n  of a friend.\n- Hurry.\n\n## Old rules\n\nText.\n\n### Deploys\n\n- Ask:\n  - Always on Friday.\n';
    const { sections } = dissect([{ path: 'AGENTS.md', text }], (it) => Math.max(20, countTokens(it)));
    const all = new Map(sections.map((it) => [it, new Set(it.text.split('\n').map((_, i) => i + 1))]));
    const [first, ...others] = sections;
    expect(bootText(sections, new Map([[first!, new Set([8])]]))).toBe(
      '## Review\n\n**Don’t:**\n\n- Approve a change\n  of a friend.\n',
    );
    expect(bootText(others, all)).toBe(
      '## Old rules\n\nText.\n\n## Old rules > Deploys\n\n- Ask:\n  - Always on Friday.\n',
    );
  });
});

describe('triggers', () => {
  it('are headings and what an author wrote as such, and no sentence of the text', () => {
    const head = '---\ntriggers: [money for a tool]\nkeywords: budget\ndescription: Use when you need money.\n---\n\n';
    const { intents, keywords } = unit(
      `${head}Ask the board. Never call the bank.\n\n## Other\n\nText.\n`,
      'desk.md',
    ).load_triggers!;
    expect(intents).toEqual(['money for a tool', 'you need money']);
    expect(keywords).toContain('budget');
  });

  it('are three at most, and none is another one with a word more', () => {
    const text =
      '# Shop\n\n## Refund orders\n\nText.\n\n### Refund an order\n\nText.\n\n### Bank details\n\nText.\n\n### Angry customers\n\nText.\n\n### Closing\n\nText.\n';
    const { intents = [] } = unit(text).load_triggers!;
    expect(intents.length).toBe(3);
    expect(intents.filter((it) => /refund/.test(it)).length).toBe(1);
  });

  it('are words of the text, and no halves of them', () => {
    const { keywords = [] } = unit("## Desk\n\nDon't wait; don't ask; don't sleep.\n").load_triggers!;
    expect(keywords).not.toContain('don');
  });

  it('contain nothing that looks like a key', () => {
    const key = 'Zx81kQ9mP2vL7tR4wY6nB3cD';
    const { description, load_triggers } = unit(`## Access\n\nCall it with ${key} and read the answer.\n`);
    expect(JSON.stringify([description, load_triggers])).not.toContain(key);
  });
});

it('§21.1.1 heartbeat_contract names a heartbeat, else how work is left, and a notice says that no section is one', () => {
  expect(migrate('## Every morning\n\nRead the inbox.\n\n## Style\n\nTabs.\n').agentYaml).toContain(
    'heartbeat_contract: every-morning',
  );
  const { agentYaml, units, notices } = migrate('## Style\n\nTabs.\n\n## Wrap-up\n\nWrite down what is open.\n');
  expect(agentYaml).toContain('heartbeat_contract: wrap-up');
  expect(units.map(({ name }) => name)).toEqual(['style', 'wrap-up']);
  expect(notices.join()).toContain('heartbeat_contract names “wrap-up”');
});
