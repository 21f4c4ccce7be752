import { canonicalName } from '../../schema/identity.ts';
import type { Approval } from '../../schema/source/approval.ts';
import { neededFor, type Needed } from './needed.ts';
import type { FiledConsent } from './read-decisions.ts';

/** One text and its authors. */
export interface AuthoredText {
  readonly writers: readonly string[];
  /** Whether every commit that wrote it is signed. */
  readonly proven: boolean;
}

/** A text and its approvals. */
export interface Approvable extends AuthoredText {
  readonly isMeant: (approval: Approval) => boolean;
}

/** The last of these texts, and earlier ones that too few other people approved. */
export function unsettled(
  texts: readonly Approvable[],
  given: readonly FiledConsent[],
  needed: Needed,
): AuthoredText[] {
  let open: AuthoredText[] = [];
  let names = new Set<string>();
  for (const text of texts.slice(0, -1)) {
    open.push(text);
    for (const writer of text.writers) names.add(canonicalName(writer));
    const by = given.filter(({ approval }) => text.isMeant(approval)).flatMap((it) => it.by);
    const others = new Set(by.filter((admin) => !names.has(canonicalName(admin))));
    if (others.size === 0) continue;
    const proven = open.every((it) => it.proven);
    if (others.size >= neededFor(needed, proven)) {
      open = [];
      names = new Set();
    }
  }
  return [...open, ...texts.slice(-1)];
}
