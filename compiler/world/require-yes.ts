import { VadeError } from '../schema/errors.ts';
import type { Arguments } from './flags/flag.ts';
import type { DRY_RUN, YES } from './flags/shared.ts';

type Consent = Arguments<{ readonly yes: typeof YES; readonly 'dry-run': typeof DRY_RUN }>;

/** Refuses what cannot be undone without `--yes`. @throws confirmation_required */
export function requireYes(args: Consent, what: string): void {
  if (args.yes || args['dry-run']) return;
  throw new VadeError('confirmation_required', `${what}; confirm with --yes`, {
    suggestion: 'add --yes, or --dry-run to see what would change',
  });
}
