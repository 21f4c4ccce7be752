/** A file as one commit wrote it. */
export interface FileVersion {
  readonly path: string;
  readonly blob: string;
}

/** The versions to erase from a history. */
export interface Erasure {
  /** Whether a path may have versions that are erased; other paths stay as they are. */
  readonly mayBeAt: (path: string) => boolean;
  /** Whether a version at such a path is erased. */
  readonly isErased: (version: FileVersion) => boolean;
}

/** An export without the erased versions. */
export interface FilteredExport {
  readonly stream: Buffer;
  /** Commits that no longer exist. */
  readonly dropped: number;
  /** Blobs that no commit names any longer. */
  readonly blobs: readonly string[];
}

/** The versions of an export at some paths, each once. */
export function versionsIn(exported: Buffer, mayBeAt: Erasure['mayBeAt']): FileVersion[] {
  const found = new Map<string, FileVersion>();
  for (const { changes } of commitsIn(exported)) {
    for (const line of changes) {
      const { path, blob } = changeIn(line);
      if (blob !== null && mayBeAt(path)) found.set(`${blob} ${path}`, { path, blob });
    }
  }
  return [...found.values()];
}

/** Replaces a message that tells of erased versions. */
const ERASED = Buffer.from('continuity: erased\n');

/**
 * Takes versions out of an export; every commit has one parent, the one before it. An empty commit is left out.
 *
 * @param branch the branch that the stream makes
 */
export function filterExport(exported: Buffer, branch: string, erasure: Erasure): FilteredExport {
  const out: Buffer[] = [];
  const [erased, kept, there] = [new Set<string>(), new Set<string>(), new Set<string>()];
  let [dropped, last] = [0, ''];
  for (const { head, message, changes } of commitsIn(exported)) {
    const lines = changes.flatMap((line) => keptOf(line, erasure, { erased, kept, there }));
    if (lines.length === 0 && changes.length > 0) {
      dropped += 1;
      continue;
    }
    // the commit wrote erased versions and nothing that stays: its message is about them
    const isOfErased = isOnly(lines, 'D') && !isOnly(changes, 'D');
    out.push(commandsOf({ head, message: isOfErased ? ERASED : message, changes: lines }, branch, last));
    last = head.find((it) => it.startsWith('mark '))?.slice('mark '.length) ?? '';
  }
  return { stream: Buffer.concat(out), dropped, blobs: [...erased].filter((it) => !kept.has(it)) };
}

interface Known {
  /** Blobs of versions. */
  readonly erased: Set<string>;
  readonly kept: Set<string>;
  /** Judged paths that the new history has now. */
  readonly there: Set<string>;
}

/** The change as the new history has it: an end of a version ends it there too, unless it never had that version. */
function keptOf(line: string, { mayBeAt, isErased }: Erasure, { erased, kept, there }: Known): string[] {
  const { path, blob } = changeIn(line);
  const stays = blob !== null && !(mayBeAt(path) && isErased({ path, blob }));
  if (blob !== null) (stays ? kept : erased).add(blob);
  if (!mayBeAt(path)) return [line];
  if (stays) {
    there.add(path);
    return [line];
  }
  return there.delete(path) ? [`D ${path}`] : [];
}

function isOnly(changes: readonly string[], letter: string): boolean {
  return changes.every((it) => it.startsWith(letter));
}

const CHANGE = /^(?:M \d+ ([0-9a-f]+) (.+)|D (.+))$/;

function changeIn(line: string): { readonly path: string; readonly blob: string | null } {
  const [, blob = null, written, removed] = CHANGE.exec(line) ?? [];
  return { path: written ?? removed ?? '', blob };
}

function commandsOf({ head, message, changes }: ExportedCommit, branch: string, parent: string): Buffer {
  const lines = head.map((it) => (it.startsWith('commit ') ? `commit ${branch}` : it));
  const from = parent === '' ? '' : `from ${parent}\n`;
  return Buffer.concat([
    Buffer.from(`${lines.join('\n')}\ndata ${message.length}\n`),
    message,
    Buffer.from(`\n${from}${changes.map((it) => `${it}\n`).join('')}\n`),
  ]);
}

interface ExportedCommit {
  /** `commit`, `mark`, `author`, `committer`. */
  readonly head: readonly string[];
  readonly message: Buffer;
  /** `M` and `D`. */
  readonly changes: readonly string[];
}

function* commitsIn(exported: Buffer): Generator<ExportedCommit> {
  let at = 0;
  const line = (): string => {
    const end = exported.indexOf(10, at);
    const text = exported.toString('utf8', at, end === -1 ? exported.length : end);
    at = end === -1 ? exported.length : end + 1;
    return text;
  };
  while (at < exported.length) {
    const first = line();
    if (!first.startsWith('commit ')) continue;
    const head = [first];
    let next = line();
    for (; !next.startsWith('data '); next = line()) if (!next.startsWith('encoding ')) head.push(next);
    const message = exported.subarray(at, at + Number(next.slice('data '.length)));
    at += message.length;
    const changes: string[] = [];
    // the message may be followed by a line end, a parent, and then the changes up to an empty line
    for (
      next = line();
      next === '' && exported[at] !== undefined && /^(from|[MD]) /.test(exported.toString('utf8', at, at + 5));
    )
      next = line();
    for (; next !== ''; next = line()) if (/^[MD] /.test(next)) changes.push(next);
    yield { head, message, changes };
  }
}
