import { z } from 'zod';
import { orNull } from '../schema/or-null.ts';
import { canonicalJson } from '../trust/canonical.ts';
import { BOOT, Left, Section, type ExportedAgent, type ExportTarget, type Rendered } from './exported-agent.ts';
import { Owner } from './provenance.ts';

/** The file beside the files of an export: their origin, and all that has no place in them. Hosts do not read it. */
export const INDEX_FILE = 'vade-export.json';

/** A unit of an export: where its text is, and its words. Defaults of its front matter are absent. */
const IndexedUnit = z.strictObject({
  unit: z.string(),
  /** Absent for `boot.md`, as is the digest. */
  uri: z.string().optional(),
  /** sha256 of the text. */
  digest: z.string().optional(),
  file: z.string(),
  section: Section.optional(),
  description: z.string(),
  intents: z.array(z.string()).default([]),
  keywords: z.array(z.string()).default([]),
  files: z.array(z.string()).default([]),
  guaranteed: z.boolean().default(false),
  listed: z.boolean().default(true),
  source: z.string().optional(),
});

export type IndexedUnit = z.infer<typeof IndexedUnit>;

/** There is no time in it: the same bundle gives the same bytes. */
const Index = Owner.extend({
  format: z.literal(1),
  role: z.string(),
  revision: z.string(),
  /** The other files of the export, by path from this one. */
  files: z.array(z.string()),
  units: z.array(IndexedUnit),
  left: z.array(Left).default([]),
}).strict();

export type Index = z.infer<typeof Index>;

export function writeIndex(agent: ExportedAgent, target: ExportTarget, { files, placed, left }: Rendered): string {
  const { deployment, role, revision } = agent;
  const units = placed.map(({ unit, file, section }): Partial<IndexedUnit> => {
    const { name, uri, digest, description, intents, keywords, always, listed, source } = unit;
    return {
      unit: name,
      ...(name !== BOOT && { uri, digest }),
      file,
      ...(section && { section }),
      description,
      ...(intents.length > 0 && { intents: [...intents] }),
      ...(keywords.length > 0 && { keywords: [...keywords] }),
      ...(unit.files.length > 0 && { files: [...unit.files] }),
      ...(always && name !== BOOT && { guaranteed: true }),
      ...(!listed && { listed }),
      ...(source !== null && { source }),
    };
  });
  const paths = [...files.keys()].sort();
  const index = { format: 1, target, deployment, agent: agent.agent, role, revision, files: paths, units };
  const whole: unknown = JSON.parse(canonicalJson({ ...index, ...(left.length > 0 && { left }) }));
  return `${JSON.stringify(whole, null, 2)}\n`;
}

/** Null for a file of somebody else. Untrusted: it can be forged. */
export const readIndex = (text: string): Index | null => orNull(() => Index.safeParse(JSON.parse(text)).data ?? null);
