import { HOLE, type Field } from './field.ts';

const ESCAPE = /\\(x[0-9A-Fa-f]{1,2}|u[0-9A-Fa-f]{1,4}|U[0-9A-Fa-f]{1,8}|0?[0-7]{1,3}|[abefnrtv\\'"c])/g;
const SIMPLE: Readonly<Record<string, string>> = { a: '\x07', b: '\b', e: '\x1b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** Replaces the escapes that `echo -e` and `printf` know. */
function unescaped(text: Field): Field {
  return text.replace(ESCAPE, (_, code: string) => {
    const [kind = ''] = code;
    if (kind === 'x' || kind === 'u' || kind === 'U') return fromCode(Number.parseInt(code.slice(1), 16));
    if (/[0-7]/.test(kind)) return fromCode(Number.parseInt(code, 8) % 256);
    return SIMPLE[kind] ?? (kind === 'c' ? '' : kind);
  });
}

function fromCode(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : '';
}

/** The output of `echo`. In some shells, echo replaces escapes without `-e`: the text is then there in both forms. */
export function echoed(args: readonly Field[]): Field {
  const from = args.findIndex((it) => !/^-[neE]+$/.test(it));
  const text = from < 0 ? '' : args.slice(from).join(' ');
  const isAsked = args.slice(0, Math.max(from, 0)).some((it) => it.includes('e'));
  // unlike printf, echo leaves escaped quotes alone
  const replaced = text.replace(/\\(?!['"])[^]?(?:[0-9A-Fa-f]*)/g, unescaped);
  if (isAsked || replaced === text) return `${replaced}\n`;
  return `${text}\n${replaced}\n`;
}

/** Text beyond this length is not followed: it may be anything. */
const MAX_TEXT = 65_536;

/** The output of `printf`. */
export function printed(args: readonly Field[]): Field {
  const [format, ...values] = args[0] === '--' ? args.slice(1) : args;
  if (format === undefined) return '';
  const plain = unescaped(format);
  let text = '';
  let at = 0;
  do {
    const { out, used } = once(plain, values, at);
    text += out;
    at += used;
    if (used === 0) return text;
  } while (at < values.length && text.length < MAX_TEXT);
  return at < values.length ? text + HOLE : text;
}

/** Fills a format with values from a place on. */
function once(format: Field, values: readonly Field[], from: number): { out: Field; used: number } {
  let used = 0;
  const out = format.replace(/%(?:%|([-+ #0]*\d*(?:\.\d+)?)([a-zA-Z]))/g, (all, flags: string, kind: string) => {
    if (all === '%%') return '%';
    const value = values[from + used++] ?? '';
    if (flags !== '' || !/[sbdi]/.test(kind)) return HOLE;
    return kind === 'b' ? unescaped(value) : value;
  });
  return { out, used };
}
