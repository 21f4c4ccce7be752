import { printable, RULES, SECURITY_RULES, type Diagnostic, type RuleId } from '../../schema/diagnostics.ts';
import { RULEBOOK } from '../../schema/rules/rulebook.ts';
import { explainRule } from './rules.ts';

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

/** Diagnostics as a SARIF 2.1.0 document for code scanning. It explains every rule itself, without links. */
export function toSarif(diagnostics: readonly Diagnostic[], version: string): object {
  const ids = [...new Set(diagnostics.map((it) => it.rule))].sort();
  const index = new Map(ids.map((id, at) => [id, at]));
  return {
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'vade', version, semanticVersion: version, rules: ids.map(toRule) } },
        columnKind: 'utf16CodeUnits',
        originalUriBaseIds: { ROOT: { description: { text: 'The top of the repository' } } },
        results: diagnostics.map((it) => toResult(it, index.get(it.rule) ?? 0)),
      },
    ],
  };
}

function toRule(id: RuleId) {
  const { means, class: kind } = RULEBOOK[id];
  return {
    id,
    shortDescription: { text: means },
    fullDescription: { text: means },
    help: { text: explainRule(id), markdown: explainRule(id) },
    defaultConfiguration: { level: RULES[id] },
    properties: { tags: [kind], ...(SECURITY_RULES.has(id) && { 'security-severity': '8.0' }) },
  };
}

function toResult(it: Diagnostic, ruleIndex: number) {
  return {
    ruleId: it.rule,
    ruleIndex,
    level: it.severity,
    message: { text: `${printable(it.message)}: ${printable(it.help)}` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: it.file.split('/').map(encodeURIComponent).join('/'), uriBaseId: 'ROOT' },
          region: { startLine: it.line, startColumn: it.column },
        },
      },
    ],
  };
}
