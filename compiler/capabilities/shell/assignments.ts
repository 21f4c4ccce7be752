import type { Assignment } from 'unbash';
import { readVariable } from './command-variables.ts';
import { expandOne } from './expansions.ts';
import type { Reading, Setting } from './reading.ts';
import { HOLE, type Field } from './words/field.ts';

/** Gives a name its values. @returns the same as settings of the program behind them */
export function assign(assignment: Assignment, reading: Reading): Setting[] {
  return reading.scope.while(assignment.name, () => assignValue(assignment, reading));
}

function assignValue(assignment: Assignment, reading: Reading): Setting[] {
  const { name, value, append, index } = assignment;
  if (value.type === 'ArrayValue') {
    const elements = value.elements.flatMap((it) => reading.shell.expand(it, reading).flat());
    const plain = elements.map((it) => it.replace(/^\[[^\]]*\]=/, ''));
    for (const it of plain) readAssignment(name, it, reading);
    reading.scope.assign(name, append === true ? [HOLE] : plain);
    return [];
  }
  const texts = expandOne(value, reading);
  if (index !== undefined) for (const it of expandOne(index, reading)) rescan(it, reading);
  return texts.map((text) => {
    // which text comes first is not followed
    set(name, append === true ? HOLE : text, reading);
    readAssignment(name, text, reading);
    return { name, value: text };
  });
}

/** Gives a name one value, and looks at what this may run. */
function set(name: string, value: Field, reading: Reading): void {
  reading.scope.assign(name, [value]);
}

/** Reads what an assignment may run by itself: text that arithmetic or a prompt expands, or what programs run of it. */
export function readAssignment(name: string, value: Field, reading: Reading): void {
  rescan(value, reading);
  readVariable(name, value, reading);
}

/** Reads `NAME=value` words, as `declare`, `export` and `env` take them. */
export function settingOf(field: Field): Setting | null {
  const [, name, value] = /^([A-Za-z_]\w*)(?:\[[^\]]*\])?\+?=([^]*)$/.exec(field) ?? [];
  return name === undefined || value === undefined ? null : { name, value };
}

/** Reads `NAME=value` like a program that passes on any name; a shell takes some of them for functions. */
export function anySettingOf(field: Field): Setting | null {
  const at = field.indexOf('=');
  return at > 0 && !/[\s/]/.test(field.slice(0, at)) ? { name: field.slice(0, at), value: field.slice(at + 1) } : null;
}

/** A plain text that the shell may expand later, as the index of an array in arithmetic, is read as if it were now. */
export function rescan(text: Field, reading: Reading): void {
  if (!text.includes('$(') && !text.includes('`')) return;
  reading.shell.runScript(`: <<__VADE_TEXT__\n${text}\n__VADE_TEXT__\n`, { kind: 'none' }, reading);
}
