import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { HostEvent } from '../../hosts/host-event.ts';
import { appendLines, isOwnScratch, type ArrivalsPlace } from '../../io/files/arrivals-spool.ts';
import { readIfThere } from '../../io/files/file.ts';
import { orNull } from '../../schema/or-null.ts';
import { sha256 } from '../../trust/canonical.ts';

/** The texts that one conversation of a host was given. Only the hook remembers: a recall always answers whole. */
export interface SessionMemory {
  readonly has: (text: string) => boolean;
  /** Without an id of the session, or where nothing can be written, nothing is remembered, and texts come again. */
  readonly add: (texts: readonly string[]) => void;
  /** Forgets what a tool brought: a host that resumes a conversation leaves that out. */
  readonly resume: () => void;
  readonly forget: () => void;
}

/** A conversation whose memory is larger has been given thousands of pages. */
const MOST_BYTES = 256 * 1024;
/** Memories of conversations that ended long ago. */
const OLD_MS = 7 * 24 * 60 * 60 * 1000;
const MOST_FORGOTTEN = 1000;

/** The folder of a project's memories, in each of its two places. */
const MEMORIES = 'hook';

/**
 * Opens the memory of a conversation, a file that is only appended to, so that two hooks at once lose nothing. It is in
 * the scratch folder where the project's own cannot be written.
 */
export function openMemory(place: ArrivalsPlace, { kind, session, subagent }: HostEvent): SessionMemory {
  const name = join(MEMORIES, sha256(`${session}\0${subagent}`).slice(0, 32));
  const isKept = session !== '';
  const paths = [place.folder, ...(isOwnScratch(place.scratch) ? [place.scratch] : [])].map((it) => join(it, name));
  const known = knownBy(isKept ? paths.flatMap(linesIn) : []);
  const write = (lines: readonly string[]) => {
    if (isKept && lines.length > 0) appendLines(place, name, lines, MOST_BYTES);
  };
  return {
    has: (text) => known.has(text),
    add: (texts) => {
      write(kind === 'file' ? texts.map((it) => `${OF_FILE}${it}`) : texts);
    },
    resume: () => {
      write([RESUMED]);
    },
    forget: () => {
      known.clear();
      for (const path of paths) {
        orNull(() => {
          rmSync(path, { force: true });
        });
      }
    },
  };
}

/** Begins a line with a text that a tool brought. */
const OF_FILE = 'file ';
/** A line that ends the memory of such texts before it. */
const RESUMED = 'resumed';

function knownBy(lines: readonly string[]): Set<string> {
  const resumed = lines.lastIndexOf(RESUMED);
  const left = lines.filter((it, i) => i > resumed || !it.startsWith(OF_FILE));
  return new Set(left.map((it) => (it.startsWith(OF_FILE) ? it.slice(OF_FILE.length) : it)));
}

function linesIn(path: string): string[] {
  const bytes = orNull(() => readIfThere(path, MOST_BYTES, 'refuse'));
  return bytes?.toString('utf8').split('\n') ?? [];
}

/** Removes the memories of conversations that ended long ago. */
export function forgetOld({ folder: own }: ArrivalsPlace, now: number): void {
  const folder = join(own, MEMORIES);
  for (const name of (orNull(() => readdirSync(folder)) ?? []).slice(0, MOST_FORGOTTEN)) {
    const path = join(folder, name);
    orNull(() => {
      if (now - statSync(path).mtimeMs > OLD_MS) rmSync(path);
    });
  }
}
