import { readFileSync } from 'node:fs';
import { format, type FormatConfig } from 'oxfmt';

/** A text as `npm run format` would write it into this file. @throws Error where it cannot be read */
export async function formatted(file: string, text: string): Promise<string> {
  const style = JSON.parse(readFileSync('.oxfmtrc.json', 'utf8')) as FormatConfig;
  const { code, errors } = await format(file, text, style);
  if (errors.length > 0) throw new Error(`${file}: ${errors.map((it) => it.message).join('; ')}`);
  return code;
}
