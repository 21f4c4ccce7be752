import type { Remote } from './remote.ts';

/** A remote whose answers have at most `most` bytes together, counted after decompression. */
export function bounded(remote: Remote, most: number): Remote {
  let rest = most;
  return {
    get: async (path, limit, known) => {
      const got = await remote.get(path, Math.min(limit, rest), known);
      if (got.kind === 'found') rest -= got.bytes.length;
      return got;
    },
  };
}

export interface DownloadMemory {
  /** Runs `work` when `bytes` of it are free, in the order of the calls. A larger work has all of it. */
  readonly hold: <T>(bytes: number, work: () => Promise<T>) => Promise<T>;
}

/** Memory for downloads that run at once and are not verified yet: `most` bytes for all of them. */
export function createDownloadMemory(most: number): DownloadMemory {
  let free = most;
  const waiting: { readonly bytes: number; readonly start: () => void }[] = [];
  const admit = () => {
    for (let next = waiting[0]; next !== undefined && next.bytes <= free; next = waiting[0]) {
      waiting.shift();
      free -= next.bytes;
      next.start();
    }
  };
  const hold: DownloadMemory['hold'] = async (wanted, work) => {
    const bytes = Math.min(wanted, most);
    await new Promise<void>((start) => {
      waiting.push({ bytes, start });
      admit();
    });
    try {
      return await work();
    } finally {
      free += bytes;
      admit();
    }
  };
  return { hold };
}
