import { z } from 'zod';
import { CHARACTERS, REASON_CHARACTERS_LEAST } from './limits.ts';
import { text } from './text.ts';
import { SUBJECT, WRITTEN } from './upsert.ts';

const reason = text(CHARACTERS.reason, REASON_CHARACTERS_LEAST);

export const ArchiveRequest = z.strictObject({ ...SUBJECT, reason });

export const ArchiveAnswer = z.strictObject({ ...WRITTEN, archived: z.literal(true), archive_path: z.string() });

const flag = z.boolean().nullish();

export const DeleteRequest = z
  .strictObject({ ...SUBJECT, delete_active: flag, delete_archive: flag, delete_fallback: flag, reason })
  .refine((it) => it.delete_active === true || it.delete_archive === true || it.delete_fallback === true, {
    message: 'at least one of delete_active, delete_archive and delete_fallback has to be true',
  });

export const DeleteAnswer = z.strictObject({
  ...WRITTEN,
  deleted_paths: z.array(z.string()),
  /** Files that were to be deleted and were not there. */
  missing_paths: z.array(z.string()),
});

export type ArchiveRequest = z.infer<typeof ArchiveRequest>;
export type ArchiveAnswer = z.infer<typeof ArchiveAnswer>;
export type DeleteRequest = z.infer<typeof DeleteRequest>;
export type DeleteAnswer = z.infer<typeof DeleteAnswer>;
