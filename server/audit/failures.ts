import { isDamaged } from '../../compiler/io/files/sqlite.ts';
import { messageOf, VadeError } from '../../compiler/schema/errors.ts';
import { isPostgresUrl, shownUrl } from './postgres/url.ts';

/** Opens an audit or a part of it. @throws output_failed if it cannot be opened; audit_unverified for a damaged file */
export async function opened<T>(what: string, open: () => T | Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    if (error instanceof VadeError) throw error;
    if (isDamaged(error)) throw damaged(error);
    const shown = isPostgresUrl(what) ? shownUrl(what) : what;
    throw new VadeError('output_failed', `the audit ${shown} cannot be opened: ${messageOf(error)}`);
  }
}

/** Maps an error while reading an audit, which may be damaged, or whose database may have become unreachable. */
export async function readFailure(audit: string, thrown: unknown): Promise<unknown> {
  if (isDamaged(thrown)) return damaged(thrown);
  if (thrown instanceof VadeError || !isPostgresUrl(audit)) return thrown;
  const { failureOf } = await import('./postgres/connection.ts');
  return failureOf(audit, 'read', thrown);
}

/** The refusal of a caller because of an audit that fails; the cause, which names files, is for the log alone. */
export function refusalOf(cause: unknown, access: 'read' | 'written'): VadeError {
  if (cause instanceof VadeError && cause.code === 'audit_unverified') return cause;
  if (isDamaged(cause)) return damaged(cause);
  return Object.assign(new VadeError('recall_backend_unavailable', `the audit cannot be ${access} now; retry`), {
    cause,
  });
}

/** The refusal of an audit file whose content SQLite cannot read. */
function damaged(error: unknown): VadeError {
  const message = `the audit does not verify: its file is damaged: ${messageOf(error)}`;
  const suggestion = 'follow "Repair a damaged audit" in server/audit/README.md';
  return new VadeError('audit_unverified', message, { writer: null, n: null, problem: 'file_damaged', suggestion });
}
