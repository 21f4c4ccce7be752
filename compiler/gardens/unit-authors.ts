import type { FactVersion } from '../schema/bundle/fact.ts';
import type { Approval, ApprovalKind } from '../schema/source/approval.ts';
import type { TreeFile } from '../schema/source/sources.ts';
import { normaliseText } from '../sources/front-matter.ts';
import { sha256 } from '../trust/canonical.ts';
import { isProven, writersOf } from '../trust/consent.ts';
import type { Authors, Needed } from './approvals/needed.ts';
import type { FiledConsent } from './approvals/read-decisions.ts';
import { unsettled, type AuthoredText } from './approvals/unsettled.ts';
import type { CompileContext } from './compile-context.ts';

/** The history of texts and their authors. */
export type TextHistory = Pick<CompileContext, 'commits' | 'attribute' | 'blob'>;

/** One text of a legacy file (§21.6.1); a text without a digest cannot have been approved. */
export interface LegacyText extends AuthoredText {
  readonly digest: string | null;
}

/** The content to approve: the current fact with its earlier versions, and the texts of its legacy file. */
export interface Authored {
  readonly fact: FactVersion;
  readonly history: readonly FactVersion[];
  /** Oldest first; empty without a legacy file. */
  readonly legacy: readonly LegacyText[];
}

/**
 * All authors of the content to approve: of the current version, and of earlier versions back to the last one that was
 * approved by other people; for the texts of its legacy file likewise.
 */
export function authorsOf(
  { fact, history, legacy }: Authored,
  own: readonly FiledConsent[],
  kind: ApprovalKind,
  needed: Needed,
): Authors {
  const given = own.filter(({ approval }) => approval.kind === kind && approval.unit === fact.name);
  const versions = [
    ...history.filter(({ name }) => name === fact.name).sort((a, b) => a.version - b.version),
    fact,
  ].map((version) => ({
    writers: writersOf(version),
    proven: isProven(version),
    isMeant: (it: Approval) => it.source_digest === version.source_digest,
  }));
  const texts = legacy.map((text) => ({
    ...text,
    isMeant: (it: Approval) => text.digest !== null && it.legacy === text.digest,
  }));
  const open = [...unsettled(versions, given, needed), ...unsettled(texts, given, needed)];
  return { names: new Set(open.flatMap((it) => it.writers)), proven: open.every((it) => it.proven) };
}

/** Every text in the history of a file outside the sources, oldest first. */
export function legacyTexts({ commits, attribute, blob }: TextHistory, path: string) {
  return commits.flatMap((commit) =>
    commit.changes
      .filter((it) => it.path === path)
      .flatMap((change): LegacyText[] => {
        if (change.blob === null) return [];
        const bytes = blob(change.blob);
        const text = bytes ? normaliseText(bytes) : null;
        const { writers, vouch } = attribute(commit, change);
        return [{ digest: text === null ? null : sha256(text), writers, proven: vouch !== undefined }];
      }),
  );
}

/** All present and former blobs of these files. */
export function legacyBlobs(commits: CompileContext['commits'], files: readonly TreeFile[]): string[] {
  const paths = new Set(files.map((file) => file.path));
  const before = commits.flatMap(({ changes }) => changes.filter((it) => paths.has(it.path)));
  return [...files, ...before].flatMap((it) => it.blob ?? []);
}
