/**
 * A text as a block of code that nothing in it can close: its fence is longer than every run of backticks in it.
 * Untrusted input.
 */
export function fenced(text: string, language = 'text', shortest = 4): string {
  const runs = text.match(/`+/g) ?? [];
  const longest = runs.reduce((most, it) => Math.max(most, it.length), shortest - 1);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text.endsWith('\n') || text === '' ? text : `${text}\n`}${fence}`;
}
