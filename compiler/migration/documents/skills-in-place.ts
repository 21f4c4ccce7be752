import { posix } from 'node:path';
import { hostFileAt } from '../../hosts/host-files.ts';
import { printable } from '../../schema/diagnostics.ts';
import type { LegacyText } from './known-unit.ts';

/**
 * Documents without the skills among them, which stay where they are, with the other files of their folders. A skill
 * that vade exported is a unit, and remains.
 */
export function withoutSkills(documents: readonly LegacyText[]): {
  readonly others: readonly LegacyText[];
  readonly notices: readonly string[];
} {
  const skills = documents.filter(({ path, known }) => known === undefined && posix.basename(path) === 'SKILL.md');
  if (skills.length === 0) return { others: documents, notices: [] };
  const folders = skills.map(({ path }) => posix.dirname(path));
  const isBelow = (path: string) => folders.some((it) => it === '.' || path.startsWith(`${it}/`));
  const places = [...new Set(skills.map(({ path }) => hostFileAt(path)?.place ?? path))].sort();
  return {
    others: documents.filter(({ path, known }) => known !== undefined || !isBelow(path)),
    notices: [
      `${skills.length} skills stay where they are: write skills: [${places.map(printable).join(', ')}] into agent.yaml`,
    ],
  };
}
