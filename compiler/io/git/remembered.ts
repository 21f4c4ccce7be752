import type { Sources } from '../../schema/source/sources.ts';

/** Maximum number of bytes of blobs that are kept; a handbook with its history has a few megabytes. */
const KEPT_BYTES = 64 * 1024 * 1024;

/** The sources of one commit, which never change: each question is asked of git once. */
export function remembered(sources: Sources): Sources {
  return {
    ...sources,
    find: once(sources.find),
    history: once(sources.history),
    origins: once(sources.origins),
    branch: once(sources.branch),
    commits: once(sources.commits),
    read: rememberedBlobs(sources.read),
  };
}

/** Remembers the answer to the last question; a failure is asked again. */
export function once<A extends readonly unknown[], T>(ask: (...question: A) => Promise<T>): typeof ask {
  let known: { readonly key: string; readonly answer: Promise<T> } | null = null;
  return (...question) => {
    const key = JSON.stringify(question);
    if (known?.key === key) return known.answer;
    const answer = ask(...question);
    known = { key, answer };
    answer.catch(() => {
      if (known?.answer === answer) known = null;
    });
    return answer;
  };
}

/** A blob that is too large or missing is not in the answer either, so it is remembered as such. */
function rememberedBlobs(read: Sources['read']): Sources['read'] {
  const known = new Map<string, Buffer | null>();
  let size = 0;
  return async (ids, limit) => {
    const unknown = [...new Set(ids)].filter((id) => !known.has(`${limit} ${id}`));
    if (size > KEPT_BYTES) return read(ids, limit);
    const found = unknown.length === 0 ? new Map<string, Buffer>() : await read(unknown, limit);
    for (const id of unknown) {
      known.set(`${limit} ${id}`, found.get(id) ?? null);
      size += found.get(id)?.length ?? 0;
    }
    return new Map(
      ids.flatMap((id) => {
        const bytes = known.get(`${limit} ${id}`);
        return bytes ? [[id, bytes] as const] : [];
      }),
    );
  };
}
