import { TOKEN_LIFETIME_MS, type Closing, type NamedClosing } from '../../compiler/schema/audit/record.ts';
import { VadeError } from '../../compiler/schema/errors.ts';

/** A recall that nobody has closed. */
interface OpenRecall {
  readonly token: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Names of the units whose texts it gave, and of those that it listed. */
  readonly gave: readonly string[];
  readonly listed: readonly string[];
}

/** Closes a recall. @throws what the audit throws */
type CloseRecall = (closing: Closing) => Promise<void>;

export type OpenRecalls = ReturnType<typeof openRecalls>;

const NOTHING_NAMED = 'no open recall gave or listed a page of these names: name the pages as their headings do';

/** Open recalls that a process keeps; the oldest is forgotten first. */
const MOST_OPEN = 1000;

/**
 * The recalls of one process that wait for their closing. It serves a session and its sub-agents, whose calls do not
 * say whose they are: so a closing ends what it names, and nothing else.
 *
 * @param now milliseconds since 1970
 */
export function openRecalls(now: () => number) {
  let open: readonly OpenRecall[] = [];
  let last: OpenRecall | undefined;
  const isRecent = ({ at }: OpenRecall) => now() - at < TOKEN_LIFETIME_MS;
  const end = async (closing: Closing, close: CloseRecall) => {
    await close(closing);
    open = open.filter(({ token }) => token !== closing.audit_token);
  };
  return {
    add: (recall: OpenRecall) => {
      last = recall;
      open = [...open, recall].slice(-MOST_OPEN);
    },
    /** The token of the last answer that can still be followed; null without one. */
    last: () => (last !== undefined && isRecent(last) ? last.token : null),
    /** Closes what is named. @returns the number of closed recalls @throws request_invalid if it names none */
    close: async (closing: NamedClosing, close: CloseRecall) => {
      const closings = closingsOf(open.filter(isRecent), closing);
      if (closings.length === 0) throw new VadeError('request_invalid', NOTHING_NAMED);
      await Promise.all(closings.map((it) => end(it, close)));
      return closings.length;
    },
    /** Closes all others, without use. */
    closeRest: async (close: CloseRecall) => {
      const unused = { used_chunks: [], missed_chunks: [], nothing_fits: false };
      await Promise.allSettled(open.map(({ token }) => close({ ...unused, audit_token: token })));
    },
  };
}

/** The closings of the recalls that are meant. A missed unit that no answer had stands in the newest. */
function closingsOf(open: readonly OpenRecall[], closing: NamedClosing): Closing[] {
  const { used_chunks: used, missed_chunks: missed, unfit_chunks: unfit } = closing;
  const meant = recallsByName(open, [...used, ...missed, ...unfit]);
  const recalls = open.filter((it) => [...meant.values()].includes(it));
  return recalls.map((recall) => {
    const used_chunks = used.filter((it) => meant.get(it) === recall);
    return {
      audit_token: recall.token,
      used_chunks,
      missed_chunks: missed.filter((it) => (meant.get(it) ?? recalls.at(-1)) === recall),
      nothing_fits: used_chunks.length === 0 && unfit.some((it) => meant.get(it) === recall),
    };
  });
}

/**
 * A name means the newest recall that gave it, otherwise the newest that listed it; before them one that a rarer name
 * means, since a page that comes with every recall would mean each.
 */
function recallsByName(open: readonly OpenRecall[], names: readonly string[]): Map<string, OpenRecall> {
  const times = (name: string) => open.filter(({ gave }) => gave.includes(name)).length || MOST_OPEN;
  const meant = new Map<string, OpenRecall>();
  for (const name of [...names].sort((a, b) => times(a) - times(b))) {
    const places = [[...meant.values()], open];
    const gave = places.map((all) => all.findLast((it) => it.gave.includes(name)));
    const listed = places.map((all) => all.findLast((it) => it.listed.includes(name)));
    const found = [...gave, ...listed].find((it) => it !== undefined);
    if (found !== undefined) meant.set(name, found);
  }
  return meant;
}
