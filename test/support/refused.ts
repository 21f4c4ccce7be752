import { VadeError } from '../../compiler/schema/errors.ts';

/**
 * Why something is not believed: the reason of its `bundle_unverified`; `believed` where it is. Any other failure is
 * thrown on.
 */
export function reasonOf(read: () => unknown): string {
  try {
    read();
    return 'believed';
  } catch (error) {
    return reasonIn(error);
  }
}

/** The same for what is only known later. */
export async function laterReasonOf(read: Promise<unknown>): Promise<string> {
  return read.then(() => 'believed', reasonIn);
}

function reasonIn(error: unknown): string {
  if (!(error instanceof VadeError) || error.code !== 'bundle_unverified') throw error;
  return String(error.details['reason']);
}
