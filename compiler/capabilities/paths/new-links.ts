import { dirname, posix } from 'node:path';
import type { PlacedLink, PlacedWrite } from '../shell/reading.ts';
import { below } from './real-path.ts';

/** More links in one command are not followed into each other. */
const MAX_LINKS = 64;

/**
 * The writes that reach their file through a symbolic link which the same command makes: the disk does not have it yet.
 * A relative link leads on from its own folder.
 */
export function writesThroughLinks(writes: readonly PlacedWrite[], links: readonly PlacedLink[]): PlacedWrite[] {
  const ways = links.slice(0, MAX_LINKS).flatMap(({ link, leadsTo, cwds }) =>
    cwds.flatMap((cwd) => {
      const from = posix.resolve(cwd, link);
      return leadsTo.map((it) => ({ from, to: posix.resolve(dirname(from), it) }));
    }),
  );
  return writes.flatMap((write) =>
    write.cwds.flatMap((cwd) => {
      const path = posix.resolve(cwd, write.target);
      return ways.flatMap(({ from, to }) => {
        const rest = below(from, path);
        // the link itself may be made and removed
        if (rest === null || (rest === '' && (write.by === 'ln' || write.removes))) return [];
        return [{ ...write, target: rest === '' ? to : `${to}/${rest}` }];
      });
    }),
  );
}
