import { FINDABILITY_LEAST } from '../../schema/bundle/coverage.ts';
import type { UnitChange } from '../../schema/report/agent-report.ts';
import type {
  AgentComparison,
  ChangedRecall,
  Comparison,
  PhraseChange,
  ReportedDiagnostic,
  UnprobedGarden,
} from '../../schema/report/comparison.ts';
import { fitSections, type CommentSection } from './fit-sections.ts';
import { quotedText } from './quoted-text.ts';

/** The first line, by which a later run finds the comment that it replaces. */
export const MARKER = '<!-- vade comment -->';

/** The most that GitHub takes for a comment. */
export const MOST_CHARACTERS = 65_536;

/**
 * A comparison as the comment of a pull request: the changes for agents, and the work that remains. Every text in it is
 * untrusted, and becomes a code span.
 */
export function toMarkdown(comparison: Comparison): string {
  const { agents, unprobed, diagnostics, head } = comparison;
  const errors = diagnostics.filter((it) => it.severity === 'error');
  const each = (title: string, of: (it: AgentComparison) => string[], fold?: 'folded') =>
    some(title, linesOf(agents, of), fold);
  const sections = [
    list(`${MARKER}\n### ${headlineOf(comparison)}\n\n${sidesOf(comparison)}`, []),
    ...(head === null ? [] : [table(agents)]),
    ...some('Approvals still needed', diagnostics.filter(needsApproval).map(approvalLine)),
    ...some('Errors', errors.filter((it) => !needsApproval(it)).map(diagnosticLine)),
    ...each('Probes lost', ({ lost }) => lost.map(quotedText)),
    ...each('Units', ({ units }) => units.map(unitLine)),
    ...each('Phrases', ({ phrases }) => phrases.map(phraseLine), 'folded'),
    ...each('Recalls that change', ({ recalls }) => recalls.map(recallLine), 'folded'),
    ...each('Probes won', ({ won }) => won.map(quotedText), 'folded'),
    ...some(
      'Units without probes',
      unprobed.map(unprobedLine),
      'folded',
      unprobed.reduce((all, it) => all + it.count, 0),
    ),
    ...some(
      'Warnings',
      diagnostics.filter((it) => it.severity === 'warning' && !needsApproval(it)).map(diagnosticLine),
      'folded',
    ),
  ];
  return `${fitSections(sections, MOST_CHARACTERS - 1)}\n`;
}

function headlineOf({ head, agents, diagnostics }: Comparison): string {
  if (head === null) return 'These instructions do not compile';
  const approvals = diagnostics.filter((it) => it.severity === 'error' && needsApproval(it)).length;
  const errors = diagnostics.filter((it) => it.severity === 'error').length - approvals;
  if (errors > 0) return `Main would not compile this: ${counted(errors, 'error')}`;
  if (approvals > 0) return `Main will compile this after ${counted(approvals, 'approval')}`;
  const changed = agents.filter((it) => it.units.length + it.recalls.length + it.lost.length > 0);
  if (changed.length === 0) return 'Nothing changes for any agent';
  const lost = agents.reduce((all, it) => all + it.lost.length, 0);
  const probes = lost === 0 ? 'no probe is lost' : `${counted(lost, 'probe')} lost`;
  return `Something changes for ${counted(changed.length, 'agent')} of ${agents.length}; ${probes}`;
}

function sidesOf({ deployment, base, head }: Comparison): string {
  const side = (it: Comparison['base']) => `serial ${it.serial} (${quotedText(it.commit.slice(0, 12))})`;
  const to = head === null ? 'nothing' : side(head);
  return `${quotedText(deployment)}: from ${side(base)} to ${to}. ${WHOSE}`;
}

/** The job of a fork runs what the fork wrote. */
const WHOSE =
  'The pull request’s own job computed the figures and texts below; main’s compile checks everything again.';

const HEAD = ['agent', 'units', 'boot stub', 'manifest', 'all units', 'coverage', 'probes'];

/** Names of agents are checked when a comparison is read, and all else are numbers: nothing here can be markup. */
function table(agents: readonly AgentComparison[]): CommentSection {
  const rows = agents.map((it) => [
    it.name,
    changesIn(it.units),
    change(it.tokens.stub),
    change(it.tokens.manifest),
    change(it.tokens.units),
    change(it.coverage, percent),
    change(it.probes, probesIn),
  ]);
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const tail = '\nTokens are cl100k; coverage is the mean share of paraphrases that find their unit.';
  return { head: `${row(HEAD)}\n${row(HEAD.map(() => '---'))}`, lines: rows.map(row), tail };
}

function probesIn({ passed, probes, uncounted }: NonNullable<AgentComparison['probes']['to']>): string {
  return `${passed} of ${probes}${uncounted === 0 ? '' : ` (${uncounted} more do not count)`}`;
}

function changesIn(units: readonly UnitChange[]): string {
  const count = (...kinds: UnitChange['kind'][]) => units.filter((it) => kinds.includes(it.kind)).length;
  const parts = [
    [count('added'), 'new'],
    [count('changed', 'delivery'), 'changed'],
    [count('removed'), 'gone'],
  ] as const;
  const told = parts.flatMap(([number, what]) => (number > 0 ? [`${number} ${what}`] : []));
  return told.length === 0 ? 'same' : told.join(', ');
}

function change<T>({ from, to }: { from: T | null; to: T | null }, show: (it: T) => string = String): string {
  const [before, after] = [from, to].map((it) => (it === null ? 'none' : show(it)));
  return before === after ? String(before) : `${before} → ${after}`;
}

const percent = (share: number): string => `${Math.round(share * 100)} %`;

/** The same lines for several agents are told once, for all of them. */
function linesOf(agents: readonly AgentComparison[], tell: (agent: AgentComparison) => string[]): string[] {
  const told = new Map<string, Set<string>>();
  for (const agent of agents) {
    for (const line of tell(agent)) {
      const names = told.get(line) ?? new Set();
      told.set(line, names.add(agent.name));
    }
  }
  return [...told].map(([line, names]) => {
    return `- **${names.size > 3 ? `${names.size} agents` : [...names].join(', ')}**: ${line}`;
  });
}

function unitLine({ name, kind, from, to, coverage, findability }: UnitChange): string {
  const tokens = change({ from: from?.tokens ?? null, to: to?.tokens ?? null });
  const found = coverage.from === null && coverage.to === null ? '' : `, coverage ${change(coverage, percent)}`;
  const what = { added: 'new', changed: 'changed', delivery: 'delivered otherwise', removed: 'gone' }[kind];
  return `${quotedText(name)} ${what}: ${tokens} tokens${found}${findabilityIn(findability)}`;
}

/** With the nearest rivals where it is hard to find. */
function findabilityIn({ from, to, rivals }: UnitChange['findability']): string {
  if (from === null && to === null) return '';
  const near = to !== null && to < FINDABILITY_LEAST && rivals.length > 0;
  const nearest = near ? ` (nearest: ${rivals.map(quotedText).join(', ')})` : '';
  return `, findability ${change({ from, to }, (it) => it.toFixed(2))}${nearest}`;
}

function phraseLine({ name, added, removed, stale }: PhraseChange): string {
  const told = (what: string, phrases: readonly string[]) =>
    phrases.length === 0 ? [] : [`${what} ${phrases.map(quotedText).join(', ')}`];
  const parts = [...told('new', added), ...told('gone', removed), ...(stale ? ['written for another text'] : [])];
  return `${quotedText(name)}: ${parts.join('; ')}`;
}

const SOURCES = { probe: 'a probe', trigger: 'a trigger', audit: 'a recall of the audit' } as const;

function recallLine({ intent, id, source, dropped, gained }: ChangedRecall): string {
  const names = (all: readonly string[]) => all.map(quotedText).join(', ');
  const parts = [
    ...(dropped.length > 0 ? [`no longer ${names(dropped)}`] : []),
    ...(gained.length > 0 ? [`now ${names(gained)}`] : []),
  ];
  return `${quotedText(intent ?? id ?? '')} (${SOURCES[source]}): ${parts.join(', ')}`;
}

function unprobedLine({ garden, count, names, untriggered }: UnprobedGarden): string {
  const more = count > names.length ? ` and ${count - names.length} more` : '';
  const bare = untriggered > 0 ? ` (${untriggered} have no trigger either: nothing judges them)` : '';
  return `- **${garden}**: ${names.map(quotedText).join(', ')}${more}${bare}`;
}

const needsApproval = ({ details }: ReportedDiagnostic): boolean => details?.command !== undefined;

function approvalLine({ file, line, message, details }: ReportedDiagnostic): string {
  return `- ${quotedText(`${file}:${line}`)}: ${quotedText(message)}\n  An administrator runs ${quotedText(details?.command ?? '')}`;
}

function diagnosticLine({ rule, file, line, column, message, help }: ReportedDiagnostic): string {
  return `- ${quotedText(`${file}:${line}:${column}`)} ${quotedText(rule)}: ${quotedText(message)}\n  ${quotedText(help)}`;
}

/** A list under its title, if there is anything; `folded` shows the title alone until it is clicked. */
function some(
  title: string,
  lines: readonly string[],
  form: 'open' | 'folded' = 'open',
  count = lines.length,
): CommentSection[] {
  if (lines.length === 0) return [];
  const counts = `${title} (${count})`;
  if (form === 'open') return [list(`#### ${counts}\n`, lines)];
  return [{ head: `<details><summary>${counts}</summary>\n`, lines, tail: '\n</details>' }];
}

const list = (head: string, lines: readonly string[]): CommentSection => ({ head, lines, tail: '' });

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
