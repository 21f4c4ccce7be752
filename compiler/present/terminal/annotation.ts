import { printable, type Diagnostic } from '../../schema/diagnostics.ts';

/** A note that a reviewer sees beside a pull request; without a file it belongs to the whole of it. */
export interface Annotation {
  readonly severity: 'error' | 'warning' | 'notice';
  readonly title: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly message: string;
}

/** A workflow command of GitHub, which shows the annotation next to the line of the pull request. */
export function annotationLine({ severity, title, file, line, column, message }: Annotation): string {
  const where = { file, line, col: column, title };
  const properties = Object.entries(where).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}=${escapeProperty(printable(String(value)))}`],
  );
  const lines = message.split('\n').map(printable);
  return `::${severity} ${properties.join(',')}::${escapeData(lines.join('\n'))}`;
}

/** A diagnostic as an annotation, with the help on a second line. */
export function toAnnotation({ severity, rule, file, line, column, message, help }: Diagnostic): string {
  return annotationLine({
    severity,
    title: rule,
    file,
    line,
    column,
    message: `${printable(message)}\n${printable(help)}`,
  });
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

/** File names are untrusted: they must not begin another property or command. */
function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
