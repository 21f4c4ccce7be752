import { parseDocument } from 'yaml';
import { VadeError } from '../schema/errors.ts';
import { isObject, type Json } from './json-values.ts';

/**
 * Reads settings of a host. Only what can be written again with the same meaning is read: a comment, a key
 * that stands twice or a number that JavaScript would round is refused.
 *
 * @param name of the file, for people
 * @throws argument_invalid
 */
export function parseSettings(text: string, name: string): Json {
  if (text.trim() === '') return {};
  const parsed = parse(text, name);
  if (!isObject(parsed)) throw settingsRefused(name, 'is not a JSON object');
  if (parseDocument(text, { uniqueKeys: true }).errors.some((it) => it.code === 'DUPLICATE_KEY')) {
    throw settingsRefused(name, 'has a key twice, and only one of the two would be kept: remove the other');
  }
  const rounded = withoutStrings(text)
    .match(/-?\d[\d.eE+-]*/g)
    ?.find(isRounded);
  if (rounded !== undefined)
    throw settingsRefused(name, `has the number ${rounded}, which would be written differently`);
  return parsed;
}

function parse(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw settingsRefused(name, whyNotJson(text));
  }
}

function whyNotJson(text: string): string {
  if (text.startsWith('\uFEFF'))
    return 'begins with a byte-order mark, which JSON does not have: save it as UTF-8 without';
  return /\/[/*]/.test(withoutStrings(text)) ? 'has comments, which would be lost: remove them' : 'is not JSON';
}

/** Why settings of a host stay as they are. */
export function settingsRefused(name: string, why: string): VadeError {
  return new VadeError('argument_invalid', `${name} ${why}; nothing was changed`, { flag: 'settings' });
}

function withoutStrings(text: string): string {
  return text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""');
}

/** Fifteen digits survive; more may not. */
function isRounded(digits: string): boolean {
  return digits.replace(/e.*/i, '').replaceAll(/[^\d]/g, '').length > 15 || !Number.isFinite(Number(digits));
}

/** The settings as text, indented and ended as the file was. */
export function writeSettings(settings: Json, before: string): string {
  const [, indent = '  '] = /^([ \t]+)\S/m.exec(before) ?? [];
  const end = before === '' || /\n\s*$/.test(before) ? '\n' : '';
  const text = `${JSON.stringify(settings, null, indent)}${end}`;
  return before.includes('\r\n') ? text.replaceAll('\n', '\r\n') : text;
}
