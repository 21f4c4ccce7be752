import { VadeError } from '../../../compiler/schema/errors.ts';
import type { Layout } from '../../../server/continuity/state/files.ts';
import type { ApplyMutation, Mutation } from '../../../server/continuity/store/mutation.ts';

/** A verb that knows no capsules: it writes a text to the file of a subject, and its last text beside it. */
export const applyText: ApplyMutation = ({ subject, request }, { files }) => {
  const { text } = request as { text: string };
  if (text === 'refuse') throw new VadeError('request_invalid', 'this text is refused');
  const path = pathOf(subject.kind, subject.id);
  const bytes = text === 'delete' ? null : Buffer.from(JSON.stringify({ ...subject, text }));
  const before = files.active;
  const writes = new Map<string, Buffer | null>([[path, bytes]]);
  if (before) writes.set(`memory/continuity/fallback/${subject.kind}-${subject.id}.json`, before);
  if (text === 'nothing') writes.clear();
  const last = before === null ? null : (JSON.parse(before.toString('utf8')) as { text: string }).text;
  return { writes, message: `text: ${subject.kind} ${subject.id}`, answer: { text, last } };
};

export const pathOf = (kind: string, id: string) => `memory/continuity/${kind}-${id}.json`;

export const TEXTS: Layout = {
  describe: (path, bytes) => {
    if (!path.startsWith('memory/continuity/')) return null;
    const { id = '' } = JSON.parse(bytes.toString('utf8')) as Record<string, string>;
    const place = path.includes('/fallback/') ? 'fallback' : 'active';
    return { place, home: path.replace('/fallback/', '/'), id };
  },
  summaryOf: (_, bytes) => ({ length: bytes.length }),
  isOf: (home, path) => path.replace('/fallback/', '/') === home,
  homeOf: ({ kind, id }) => pathOf(kind, id),
};

/** A request to write a text. */
export function textOf(id: string, text: string, more: Partial<Mutation> = {}): Mutation {
  const subject = { kind: 'thread', id };
  return { subject, verb: 'upsert', request: { text }, now: 1_795_000_000_000, author: 'key:a', key: null, ...more };
}
