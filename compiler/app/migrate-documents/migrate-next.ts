import type { Migration } from '../../migration/propose/proposal.ts';
import { typedWord } from '../../schema/shell-word.ts';
import type { Arguments } from '../../world/flags/flag.ts';
import { MODELS } from '../../world/flags/shared.ts';
import type { MIGRATE } from '../flags/migrate.ts';

/** The command as it was typed, without what it does with the proposal. */
export function commandOf({ from, agent, out, models }: Arguments<typeof MIGRATE>): string {
  return [
    `vade migrate --from ${typedWord(from)} --agent ${agent}`,
    ...(out === 'instructions' ? [] : [`--out ${typedWord(out)}`]),
    ...(models === MODELS.default ? [] : [`--models ${typedWord(models)}`]),
  ].join(' ');
}

/** Steps after a preview: better words, where nobody has given any, then writing. */
export function nextOf(
  command: string,
  isWritten: boolean,
  answers: readonly string[],
  { wordable }: Migration,
): string[] {
  if (isWritten) return [];
  const said = answers.map((it) => ` --answers ${typedWord(it)}`).join('');
  const brief = answers.length === 0 && wordable.length > 0 ? [`${command} --brief --format text`] : [];
  return [...brief, `${command}${said} --write`];
}
