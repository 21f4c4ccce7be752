import { z } from 'zod';
import { wholeNumber } from '../../../schema/whole-number.ts';
import { text, texts } from '../text.ts';
import { ContentKind } from '../words.ts';
import { COORDINATION_CHARACTERS, COORDINATION_ITEMS, COORDINATION_ROWS } from './limits.ts';

/** An agent as a request names it: by id or short name; `default` is the store of the administrators. */
export const Peer = text(COORDINATION_CHARACTERS.peer, 1);

/** An owner as it is stored: the id of an agent, or `default`. */
export const PeerId = z.string();

/** A text with its own limit, of at least one character. */
export const said = (name: keyof typeof COORDINATION_CHARACTERS) => text(COORDINATION_CHARACTERS[name], 1);

/** A list with its own limits. */
export const saidList = (name: keyof typeof COORDINATION_ITEMS & keyof typeof COORDINATION_CHARACTERS) =>
  texts(COORDINATION_ITEMS[name], COORDINATION_CHARACTERS[name], 1);

/** The subject of an artefact: a task or a thread. */
export const ABOUT = { task_id: said('task_id').nullish(), thread_id: said('thread_id').nullish() };

/** The same, as it is stored. */
export const STORED_ABOUT = { task_id: z.string().nullable(), thread_id: z.string().nullable() };

/** A time of the server, in UTC to the second. */
export const ServerTime = z.string();

/** The first version is 1. */
export const ArtefactVersion = z.int().min(1);

/** Rows of a list to return. */
export const PAGE = {
  offset: wholeNumber(0, COORDINATION_ROWS.offset).default(0),
  limit: wholeNumber(1, COORDINATION_ROWS.most).default(COORDINATION_ROWS.default),
};

/** The members of every answer about artefacts. */
export const ANSWERED = { ok: z.literal(true), content_kind: ContentKind };

/** The members of every answer to a change: it survives a loss of power. */
export const CHANGED = { ...ANSWERED, durable: z.literal(true) };

/** The members of every list. */
export const LISTED = {
  ...ANSWERED,
  count: z.int(),
  /** Number of matches on all pages. */
  total_matches: z.int(),
};
