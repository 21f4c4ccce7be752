import { VadeError } from '../schema/errors.ts';

/** Refuses what cannot be undone without `--yes`. @throws confirmation_required */
export function requireYes(args: Readonly<Record<'yes' | 'dry-run', boolean>>, what: string): void {
  if (args.yes || args['dry-run']) return;
  throw new VadeError('confirmation_required', `${what}; confirm with --yes`, {
    suggestion: 'add --yes, or --dry-run to see what would change',
  });
}
