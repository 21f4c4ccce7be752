import { printable, type Diagnostic } from '../../schema/diagnostics.ts';

/** A diagnostic as a workflow command of GitHub, which shows it next to the line of the pull request. */
export function toAnnotation(it: Diagnostic): string {
  const where = { file: it.file, line: it.line, col: it.column, title: it.rule };
  const properties = Object.entries(where).map(([key, value]) => `${key}=${escapeProperty(printable(String(value)))}`);
  return `::${it.severity} ${properties.join(',')}::${escapeData(`${printable(it.message)}\n${printable(it.help)}`)}`;
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

/** File names are untrusted: they must not begin another property or command. */
function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
