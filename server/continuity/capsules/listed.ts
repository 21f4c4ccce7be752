import { unreadableAt, type Listed } from '../../../compiler/continuity/list.ts';
import type { CapsuleRow } from '../../../compiler/schema/continuity/list.ts';
import type { ListedFile } from '../state/files.ts';

/** The rows of files, and those files that have none because they cannot be read. */
export function listedIn(files: readonly ListedFile[]): Listed {
  return {
    rows: files.flatMap(({ summary }) => (summary === null ? [] : [summary as CapsuleRow])),
    unreadable: files.flatMap(({ path, summary, holder }) => {
      const file = summary === null ? unreadableAt(path, holder) : null;
      return file === null ? [] : [file];
    }),
  };
}
