import { z } from 'zod';
import { ObjectId } from './ids.ts';

/** One file that differs between two trees; null stands for no file. */
export const FileChange = z.strictObject({
  path: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
  /** `100644`, `100755`, `120000`; null where the file is gone. */
  mode: z.string().nullable(),
});

/** Why something in a worktree can be in no commit, or must not be. */
export const REFUSALS = {
  depth: 'folders lie too deep',
  encoding: 'the name is not UTF-8',
  file_size: 'the file is too large',
  lfs_content: 'the file is stored by LFS and its content changed',
  link_outside: 'the link leads out of the worktree',
  name: 'the name has characters that no list of files can match, or that git refuses',
  nested_repository: 'it is a repository of its own',
  too_many_files: 'there are too many files',
  total_size: 'the changes are too large together',
  unreadable: 'it cannot be read',
} as const;

export const SnapshotRefusal = z.strictObject({
  path: z.string(),
  rule: z.enum(Object.keys(REFUSALS) as [keyof typeof REFUSALS]),
});

/** The content of a worktree, as a commit on top of the one that it began with. */
export const WorkSnapshot = z.strictObject({
  base: ObjectId,
  tree: ObjectId,
  commit: ObjectId,
  changes: z.array(FileChange),
  refusals: z.array(SnapshotRefusal),
  /** Pipes, sockets and devices, which no commit can hold. */
  left_out: z.array(z.string()),
  /** Files with more than one hard link: a write to the other name changes them. */
  second_names: z.array(z.string()),
});

export type FileChange = z.infer<typeof FileChange>;
export type SnapshotRefusal = z.infer<typeof SnapshotRefusal>;
export type WorkSnapshot = z.infer<typeof WorkSnapshot>;
