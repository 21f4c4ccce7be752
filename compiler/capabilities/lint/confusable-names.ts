import { diagnostic, type Diagnostic } from '../../schema/diagnostics.ts';

interface Named {
  readonly name: string;
  readonly file: string;
}

/** Names that a reader takes for each other. */
export function findConfusable(all: readonly Named[]): Diagnostic[] {
  const known = new Map<string, string>();
  return all.flatMap(({ name, file }) => {
    const look = lookOf(name);
    const twin = known.get(look);
    known.set(look, twin ?? name);
    if (twin === undefined) return [];
    return [diagnostic('capability_name_confusable', file, `“${name}” looks like “${twin}”`, 'rename one of them')];
  });
}

/** Shape of a name at a glance: without hyphens, and with one letter for those that are alike. */
function lookOf(name: string): string {
  return name
    .replace(/rn/g, 'm')
    .replace(/vv/g, 'w')
    .replace(/cl/g, 'd')
    .replace(/0/g, 'o')
    .replace(/[1i]/g, 'l')
    .replace(/5/g, 's')
    .replace(/-/g, '');
}
