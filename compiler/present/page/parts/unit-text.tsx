import type { UnitReport, UnitVersion } from '../../../schema/report/unit-report.ts';
import { shown } from './wording.ts';

interface UnitTextProps {
  readonly unit: UnitReport;
  readonly version: UnitVersion | undefined;
}

/** The text of a unit, or why there is none here. */
export function UnitText({ unit, version }: UnitTextProps) {
  if (version?.withheld) return <p>Its text is withheld: {version.withheld}.</p>;
  if (!version || version.content === '')
    return (
      <p>
        Its text is in the legacy file <code>{unit.fallback?.path ?? '–'}</code>.
      </p>
    );
  return (
    <pre class="text" tabIndex={0} role="region" aria-label={`Text of ${unit.name}`}>
      {shown(version.content)}
    </pre>
  );
}
