import { stringify } from 'yaml';

/** Members in their order; texts of others are quoted where YAML, old or new, would read anything else from them. */
export function frontMatter(members: Readonly<Record<string, unknown>>): string {
  if (Object.keys(members).length === 0) return '';
  return `---\n${stringify(members, { compat: 'yaml-1.1', lineWidth: 0 })}---\n`;
}
