import { byText, sha256 } from '../trust/canonical.ts';
import { BRIEF_KINDS, type BriefKind, type BriefSubject } from './brief.ts';
import { MOST_SECTIONS } from './parts.ts';

/** Hex digits of a unit's mark: enough that an edit is seen, few enough that a model copies all of them. */
const DIGITS = 8;

const FORM = new RegExp(
  `^(${BRIEF_KINDS.join('|')}):([a-z0-9-]{1,64}):([a-z0-9-]{1,64}):((?:[0-9a-f]{${DIGITS}}){1,${MOST_SECTIONS}})$`,
);

interface Text {
  readonly name: string;
  /** The body as served. */
  readonly content: string;
}

/** The mark of a unit with this text, and of no other, in the id of a brief. */
export function markOf({ kind, deployment, garden }: BriefSubject, { name, content }: Text): string {
  return sha256([kind, deployment, garden, name, sha256(content)].join('\n')).slice(0, DIGITS);
}

/** The id of a brief: its kind, its garden, and the mark of each unit. */
export function briefId(subject: BriefSubject, units: readonly Text[]): string {
  const { kind, deployment, garden } = subject;
  const marks = [...units].sort((a, b) => byText(a.name, b.name)).map((it) => markOf(subject, it));
  return [kind, deployment, garden, marks.join('')].join(':');
}

/** An id, read back. */
export interface ReadId {
  readonly subject: BriefSubject;
  readonly marks: ReadonlySet<string>;
}

/** Reads an id; null for a text of another form. Untrusted input: what it names need not exist. */
export function readBriefId(text: string): ReadId | null {
  const [, kind, deployment = '', garden = '', marks = ''] = FORM.exec(text) ?? [];
  if (kind === undefined) return null;
  const each = marks.match(new RegExp(`.{${DIGITS}}`, 'g')) ?? [];
  return { subject: { kind: kind as BriefKind, deployment, garden }, marks: new Set(each) };
}
