import type { CommandExpansionPart } from 'unbash';
import type { Reading } from './reading.ts';
import { HOLE, type Field } from './words/field.ts';

/** What `$(…)` may become: the text of a program whose output is known, or anything. */
export function substituted(part: CommandExpansionPart, reading: Reading): Field[] {
  const [statement, ...more] = part.script?.commands ?? [];
  if (statement === undefined || more.length > 0) return [HOLE];
  const outputs = reading.shell.outputOf(statement.command, { kind: 'none' }, reading);
  return outputs === null ? [HOLE] : outputs.map((it) => it.replace(/\n+$/, ''));
}
