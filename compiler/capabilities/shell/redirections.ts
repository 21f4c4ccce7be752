import type { HereDoc, Redirection, Word } from 'unbash';
import { expandOne } from './expansions.ts';
import type { Reading } from './reading.ts';
import { HOLE, type Field, type Stdin } from './words/field.ts';

/** The standard input of a command, after its redirections. */
export function stdinOf(redirects: readonly Redirection[], given: Stdin, reading: Reading): Stdin {
  let stdin = given;
  for (const it of redirects) {
    const isStdin =
      it.descriptor === undefined || (it.descriptor.type === 'FileDescriptor' && it.descriptor.value === 0);
    if (!isStdin) continue;
    if (it.type === 'HereDoc') stdin = oneText(heredocTexts(it, reading));
    else if (it.type === 'HereString')
      stdin = oneText(it.target === undefined ? [''] : hereStrings(it.target, reading));
    else if (it.operator === '<&') stdin = { kind: 'unknown' };
    else if (it.operator === '<' || it.operator === '<>') stdin = fileStdin(it.target, reading);
  }
  return stdin;
}

function hereStrings(target: Word, reading: Reading): Field[] {
  return expandOne(target, reading).map((it) => `${it}\n`);
}

function oneText(texts: readonly Field[]): Stdin {
  return { kind: 'text', text: texts.length === 1 ? (texts[0] ?? '') : texts.length === 0 ? '' : HOLE };
}

/** The texts that a heredoc may be: itself if its delimiter is quoted, else with its expansions done. */
function heredocTexts({ delimiter, body }: HereDoc, reading: Reading): Field[] {
  if (delimiter?.quoted === true) return [body.text];
  if (body.parts === undefined) return [body.text.replace(/\\([$`\\\n])/g, (_, it: string) => (it === '\n' ? '' : it))];
  const { pos, end, text } = body;
  return expandOne(
    {
      type: 'Word',
      text,
      value: text,
      pos,
      end,
      parts: [{ type: 'DoubleQuoted', pos, end, text, parts: body.parts as never }],
    },
    reading,
  );
}

function fileStdin(target: Word | undefined, reading: Reading): Stdin {
  const [part, ...more] = target?.parts ?? [];
  if (part?.type === 'ProcessSubstitution' && more.length === 0)
    return substitutionText(part.script?.commands, reading);
  const [path = ''] = target === undefined ? [] : expandOne(target, reading);
  if (path.startsWith('/dev/fd') || path.startsWith('/proc/') || path.startsWith('/dev/tcp'))
    return { kind: 'unknown' };
  if (/\/(s?bin|git-core|libexec)\/git(-[a-z]+)?$/.test(path)) reading.fault('a redirection reads the git program');
  const texts = reading.scope.writtenTo(path);
  return texts.length === 0 ? { kind: 'file' } : oneText(texts);
}

type Commands = Parameters<Reading['shell']['outputOf']>[0];

function substitutionText(commands: readonly { readonly command: Commands }[] | undefined, reading: Reading): Stdin {
  const [only, ...more] = commands ?? [];
  if (only === undefined || more.length > 0) return { kind: 'unknown' };
  return asStdin(reading.shell.outputOf(only.command, { kind: 'none' }, reading));
}

/** An output as the standard input of what comes behind a `|`. */
export function asStdin(outputs: readonly Field[] | null): Stdin {
  const [text] = outputs ?? [];
  return text === undefined || outputs?.length !== 1 ? { kind: 'unknown' } : { kind: 'text', text };
}
