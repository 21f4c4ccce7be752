import { basename, dirname, isAbsolute, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { pathsWithin, realOf } from '../../compiler/io/files/paths-within.ts';
import { orNull } from '../../compiler/schema/or-null.ts';

/** A host has this long to say which folders it works in, in milliseconds; more of them are not looked at. */
const ROOTS_LIMIT_MS = 2000;
const MOST_ROOTS = 50;

/** A request whose files may be absolute. */
const WithFiles = z.looseObject({ files: z.array(z.string()).max(50) });

/** A host that may know its folders: a client of a revision before 2026-07-28, which has no such question. */
export interface HostClient {
  getClientVersion(): { readonly name: string } | undefined;
  getClientCapabilities(): { readonly roots?: object | undefined } | undefined;
  listRoots(params: object, options: object): Promise<{ readonly roots: readonly { readonly uri: string }[] }>;
}

/**
 * Cuts absolute files of a request by the folders of the host: its roots, which it is asked for once, otherwise the
 * folder of this process. The others, and whatever is no such request, are checked later. Untrusted.
 */
export function hostFiles(host: HostClient, folder: string) {
  let known: Promise<readonly string[]> | undefined;
  return async (given: unknown) => {
    const { data } = WithFiles.safeParse(given);
    if (!data?.files.some((it) => isAbsolute(it))) return { body: given, outside: 0 };
    const folders = await (known ??= foldersOf(host, folder));
    const cut = (file: string) => {
      // the file itself need not be there
      const real = join(realOf(dirname(file)), basename(file));
      return folders.flatMap((it) => pathsWithin(it, [file, real])).slice(0, 1);
    };
    const files = data.files.flatMap((it) => (isAbsolute(it) ? cut(it) : it));
    return { body: { ...data, files }, outside: data.files.length - files.length };
  };
}

/** A host that does not answer has no roots. */
async function foldersOf(host: HostClient, folder: string): Promise<readonly string[]> {
  const hasRoots = host.getClientCapabilities()?.roots !== undefined;
  const asked = hasRoots ? await host.listRoots({}, { timeout: ROOTS_LIMIT_MS }).catch(() => null) : null;
  const roots = (asked?.roots ?? []).slice(0, MOST_ROOTS).flatMap(({ uri }) => orNull(() => fileURLToPath(uri)) ?? []);
  return (roots.length > 0 ? roots : [folder]).flatMap((it) => [it, realOf(it)]);
}
