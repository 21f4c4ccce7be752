import { dirname, posix } from 'node:path';
import type { PlacedLink, PlacedWrite } from '../shell/reading.ts';
import { below } from './real-path.ts';

/**
 * The writes that reach their file through a symbolic link which the same command makes: the disk does not have it yet.
 * A relative link leads on from its own folder.
 */
export function writesThroughLinks(writes: readonly PlacedWrite[], links: readonly PlacedLink[]): PlacedWrite[] {
  const ways = links.flatMap(({ link, leadsTo, cwds }) =>
    cwds.map((cwd) => {
      const from = posix.resolve(cwd, link);
      return { from, to: posix.resolve(dirname(from), leadsTo) };
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
