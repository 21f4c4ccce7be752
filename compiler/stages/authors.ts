import type { Approval, ApprovalKind } from '../model/approval.ts';
import type { FactVersion } from '../model/fact.ts';
import type { TreeFile } from '../model/sources.ts';
import { writersOf } from '../trust/authority.ts';
import { sha256 } from '../trust/canonical.ts';
import type { FiledApproval } from './decide.ts';
import type { Soil } from './soil.ts';
import { normaliseText } from './split.ts';
import { entityOf } from './version.ts';

/** One text of a legacy file (§21.6.1), and who wrote it; nobody can have approved one without a digest. */
export interface LegacyText {
  readonly digest: string | null;
  readonly writers: readonly string[];
}

/** What is to be approved: the fact in force with the versions before it, and the texts of its legacy file. */
export interface Authored {
  readonly fact: FactVersion;
  readonly history: readonly FactVersion[];
  /** Oldest first; empty where no legacy file stands in. */
  readonly legacy: readonly LegacyText[];
}

/**
 * Everybody who wrote what is to be approved: the authors of the version in force, and of those before it back to
 * the last one that was approved already, by others than those; of its legacy file's texts likewise.
 */
export function authorsOf(
  { fact, history, legacy }: Authored,
  own: readonly FiledApproval[],
  kind: ApprovalKind,
  threshold: number,
): Set<string> {
  const given = own.filter(({ approval }) => approval.kind === kind && approval.unit === fact.name);
  const versions = [
    ...history.filter(({ name }) => name === fact.name).sort((a, b) => a.version - b.version),
    fact,
  ].map((version) => ({
    writers: writersOf(version),
    isMeant: (it: Approval) => it.source_digest === version.source_digest,
  }));
  const texts = legacy.map(({ digest, writers }) => ({
    writers,
    isMeant: (it: Approval) => digest !== null && it.legacy === digest,
  }));
  return new Set([...unsettled(versions, given, threshold), ...unsettled(texts, given, threshold)]);
}

/** A text, and which approvals were given of it. */
interface Written {
  readonly writers: readonly string[];
  readonly isMeant: (approval: Approval) => boolean;
}

/** Who wrote the last of these texts, and those before it that too few others said yes to. */
function unsettled(texts: readonly Written[], given: readonly FiledApproval[], threshold: number): Set<string> {
  const authors = new Set<string>();
  for (const { writers, isMeant } of texts.slice(0, -1)) {
    for (const writer of writers) authors.add(writer);
    const by = given.filter(({ approval }) => isMeant(approval)).flatMap((it) => it.by);
    if (new Set(by.filter((admin) => !authors.has(admin))).size >= threshold) authors.clear();
  }
  return new Set([...authors, ...(texts.at(-1)?.writers ?? [])]);
}

/** Every text that a file outside the sources ever had, along the history, oldest first. */
export function legacyTexts(
  deployment: string,
  { commits, vouched, blob }: Pick<Soil, 'commits' | 'vouched' | 'blob'>,
  path: string,
): LegacyText[] {
  return commits.flatMap(({ id, author, coauthors = [], changes }) =>
    changes
      .filter((it) => it.path === path)
      .flatMap((change) => {
        if (change.blob === null) return [];
        const bytes = blob(change.blob);
        const text = bytes ? normaliseText(bytes) : null;
        const named = [author, ...coauthors].map((it) => entityOf(deployment, it));
        const signer = vouched.get(id)?.owner ?? [];
        return { digest: text === null ? null : sha256(text), writers: [signer, ...named].flat() };
      }),
  );
}

/** The blobs of these files, and of every text that they ever had. */
export function legacyBlobs(commits: Soil['commits'], files: readonly TreeFile[]): string[] {
  const paths = new Set(files.map((file) => file.path));
  const before = commits.flatMap(({ changes }) => changes.filter((it) => paths.has(it.path)));
  return [...files, ...before].flatMap((it) => it.blob ?? []);
}
