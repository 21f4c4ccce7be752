import { VadeError } from '../schema/errors.ts';

/** The position of a page in its list. */
export interface Pagination {
  readonly total: number;
  readonly returned: number;
  readonly truncated: boolean;
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

/**
 * One page of a list, in the list's order. The cursor is opaque: it names the last item of the previous page.
 *
 * @param limit items on a page; 0 for all
 * @throws argument_invalid for a cursor that does not belong to the list
 */
export function paginate<T extends { readonly id: string }>(
  items: readonly T[],
  { limit, cursor }: { readonly limit: number; readonly cursor: string | undefined },
): { page: readonly T[]; pagination: Pagination } {
  const start = cursor === undefined ? 0 : placeAfter(items, cursor);
  const end = limit === 0 ? items.length : Math.min(items.length, start + limit);
  const page = items.slice(start, end);
  const has_more = end < items.length;
  const next_cursor = has_more ? encode(items[end - 1]?.id ?? '') : null;
  return {
    page,
    pagination: { total: items.length, returned: page.length, truncated: has_more, has_more, next_cursor },
  };
}

/** The line for people that says how to get the next page; none on the last one. */
export function moreLine({ has_more, next_cursor }: Pagination): string[] {
  return has_more ? [`more: --cursor ${next_cursor ?? ''}`] : [];
}

function placeAfter(items: readonly { readonly id: string }[], cursor: string): number {
  const at = items.findIndex((it) => encode(it.id) === cursor);
  if (at >= 0) return at + 1;
  throw new VadeError('argument_invalid', '--cursor does not belong to this list', { flag: 'cursor' });
}

function encode(id: string): string {
  return Buffer.from(`after:${id}`).toString('base64url');
}
