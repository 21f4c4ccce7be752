import type { KeyHolder, KeyRecord } from '../../schema/source/key-file.ts';

/** A key of a list: its record with what it is worth now. */
type ListedKey = Pick<KeyRecord, 'id' | 'holder' | 'name' | 'revoked_at'> & {
  readonly status: string;
  readonly reason: string | null;
};

/** A key as one line. */
export function keyLine(it: ListedKey): string {
  return [it.id, holderText(it.holder), statusText(it), it.name].join('  ');
}

function statusText({ status, reason, revoked_at }: ListedKey): string {
  if (status === 'revoked') return `revoked ${revoked_at ?? ''}`;
  return reason === null ? status : `${status} (${reason})`;
}

/** The holder of a key. */
export function holderText(holder: KeyHolder): string {
  if (holder.kind === 'reader') return `reader of ${holder.reads}`;
  return holder.kind === 'agent' ? `agent ${holder.agent}` : `admin ${holder.entity}`;
}
