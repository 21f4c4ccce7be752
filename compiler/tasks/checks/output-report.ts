import { listOf } from '../../capabilities/atoms/gate-module.ts';
import { fail, failFor, PASS, type CheckModule } from './check-module.ts';

const NO_REPORT = fail('the agent gave no report', 'give the file of its report with --report');

/** The fields of a report without a list in the task, as the atom's text says. */
const USUAL_FIELDS = ['files-touched', 'result'];

/** `output::report-format`: one `field: value` for each field that the task requires. */
export const reportFormat: CheckModule = ({ report }, check, task) => {
  if (report === null) return NO_REPORT;
  const listed = listOf('report-fields-required', check, task);
  const fields = fieldsOf(report);
  const missing = (listed.length === 0 ? USUAL_FIELDS : listed).filter((it) => !fields.has(it.toLowerCase()));
  return failFor(missing, 'the report lacks fields, or their values');
};

/** Forms of a field in Markdown: as an item of a list, bold, or as code. */
const FIELD = /^\s*(?:[-*+]\s+)?[*_`]{0,3}([A-Za-z0-9][A-Za-z0-9 _-]*?)[*_`]{0,3}\s*:[*_`]{0,3}[ \t]*(.*)$/;

/** The fields of a report that have a value, on their line or indented or listed on the next; names in lower case. */
function fieldsOf(report: string): Map<string, string> {
  const lines = report.split(/\r?\n/);
  const fields = new Map<string, string>();
  for (const [at, line] of lines.entries()) {
    const [, name = '', value = ''] = FIELD.exec(line) ?? [];
    const below = /^\s*(?:[-*+]\s+|\s{2,})(\S.*)$/.exec(lines[at + 1] ?? '')?.[1] ?? '';
    const text = value.trim() === '' ? below : value.trim();
    if (name !== '' && text !== '') fields.set(name.toLowerCase(), text);
  }
  return fields;
}

const GRADES = ['critical', 'high', 'medium', 'low'];
/** A line that begins with a word in square brackets, but is no link and no tick box. */
const GRADED = /^\s*(?:[-*+]\s+|\d+[.)]\s+)?[*_`]{0,3}\[([A-Za-z][A-Za-z -]*)\][*_`]{0,3}(?![([:])/;
const ITEM = /^(?:[-*+]|\d+[.)])\s+\S/;
const NO_FINDING = /^\s*(?:[-*+]\s+)?[*_`]{0,3}findings[*_`]{0,3}\s*:[*_`]{0,3}\s*none\.?\s*$/i;
const BEGIN = /^\s*(?:#{1,6}\s+|[*_`]{0,3})findings[*_`]{0,3}\s*:?[*_`]{0,3}\s*$/i;
const END = /^#{1,6}\s/;

/** `output::severity-grade`: every finding begins with exactly one of four grades; without any, the report says so. */
export const severityGrade: CheckModule = ({ report }) => {
  if (report === null) return NO_REPORT;
  const lines = report.split(/\r?\n/);
  const graded = lines.flatMap((line) => GRADED.exec(line)?.[1] ?? []);
  const wrong = [
    ...lines.filter((line) => isWronglyGraded(line)),
    ...findingsOf(lines).filter((line) => ITEM.test(line) && !GRADED.test(line)),
  ];
  if (wrong.length > 0) return failFor([...new Set(wrong)], 'findings lack one of the four grades');
  if (graded.length > 0 || lines.some((it) => NO_FINDING.test(it))) return PASS;
  return fail('the report has no graded finding, and does not say “findings: none”');
};

function isWronglyGraded(line: string): boolean {
  const grade = GRADED.exec(line)?.[1];
  if (grade === undefined) return false;
  const next = /^[^\]]*\]\s*\[(critical|high|medium|low)\]/.test(line);
  return !GRADES.includes(grade) || next;
}

/** The lines below a heading or a field “Findings”, up to the next heading. */
function findingsOf(lines: readonly string[]): string[] {
  const start = lines.findIndex((it) => BEGIN.test(it));
  if (start === -1) return [];
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((it) => END.test(it));
  return end === -1 ? rest : rest.slice(0, end);
}

/** Number of lines that count as the first ones. */
const HEAD_LINES = 12;
const OUTCOMES = ['done', 'partly', 'refused'];

/** `output::ledger-row-required`: the report begins with the agent's id, the task and the outcome. */
export const ledgerRowRequired: CheckModule = ({ report, agent_id, task }) => {
  if (report === null) return NO_REPORT;
  const lines = report.split(/\r?\n/).filter((it) => it.trim() !== '');
  const fields = fieldsOf(lines.slice(0, HEAD_LINES).join('\n'));
  const plain = (name: string) => (fields.get(name) ?? '').replaceAll(/[*_`.]+$|^[*_`]+/g, '');
  const wrong = [
    ...(plain('agent-id') === agent_id ? [] : [`agent-id: ${agent_id}`]),
    ...(plain('task') === task ? [] : [`task: ${task}`]),
    ...(OUTCOMES.includes(plain('outcome')) ? [] : [`outcome: ${OUTCOMES.join(' | ')}`]),
  ];
  return failFor(wrong, 'the first lines of the report lack what the ledger needs');
};
