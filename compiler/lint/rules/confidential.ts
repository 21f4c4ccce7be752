import type { Diagnostic } from '../../schema/diagnostics.ts';
import type { Unit } from '../../schema/source/unit.ts';
import { unitDiagnostic } from './linted-garden.ts';

/** Marks by which an author restricts the readers of a text. */
const MARKS =
  /\bTLP[: ]?(?:RED|AMBER)\b|(?:^|\n)[>#*\s[(]{0,9}(?:strictly |highly |company |commercial[- ]in[- ])?(?:confidential|internal only|internal use only|top secret|restricted|secret)(?:[ \t]*[:!\])*–—-]|[*\s]{0,3}(?:\n|$))|\bstrictly confidential\b|\b(?:do not|not to be) (?:disclose|distribute|share|circulate)d?(?: (?:this|outside|externally|further|beyond)|\.|!|$)|\bnot for (?:distribution|disclosure|external use|publication)\b|\b(?:for )?internal (?:eyes|use|distribution) only\b|\b(?:this (?:unit|document|page|text|section) is )(?:strictly )?(?:confidential|secret|privileged)\b|\battorney[- ]client privileged?\b/gim;

/** Facts that are confidential by their content: with a number or a name, not only as a topic. */
const MATTERS =
  /\b(?:salary|salaries|compensation|bonus) (?:of|is|are|band|bands|range)\b[^\n]{0,60}?\d{2}|\b(?:acquisition|merger|layoffs?) (?:of|with|target|date|planned|is planned)\b|\bunannounced\b|\bembargoed until\b/gi;

/**
 * §21.1.5 S3, §21.3.3 S5: a guaranteed unit comes with every recall, and a preloaded one is in the context of every
 * task, next to hostile text too. Neither can keep a secret.
 */
export function findConfidential({ units }: { readonly units: readonly Unit[] }): Diagnostic[] {
  return units.flatMap((unit) => {
    const { guarantee_load, required_by_task_types } = unit.delivery;
    if (!guarantee_load && required_by_task_types.length === 0) return [];
    const marks = [...unit.content.matchAll(MARKS)].map((it) =>
      toFault(unit, it[0], guarantee_load ? 'error' : 'warning'),
    );
    const matters = [...unit.content.matchAll(MATTERS)].map((it) => toFault(unit, it[0], 'warning'));
    return [...marks, ...matters].slice(0, 3);
  });
}

function toFault(unit: Unit, words: string, severity: Diagnostic['severity']): Diagnostic {
  const { guarantee_load } = unit.delivery;
  const [how, rule] = guarantee_load ? ['guaranteed', '§21.3.3 S5'] : ['preloaded', '§21.1.5 S3'];
  const mark = words
    .replace(/[^\p{L}\p{N}: ]+/gu, ' ')
    .trim()
    .slice(0, 40);
  const message = `“${mark}” in a ${how} unit: anyone who can make the agent talk can read it (${rule})`;
  const help = 'remove the confidential part, or let the unit come only with a recall that matches it';
  const at = unit.at(guarantee_load ? 'guarantee_load' : 'required_by_task_types');
  return unitDiagnostic('confidential_exposed', unit, message, help, at, severity);
}
