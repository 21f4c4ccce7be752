import { byText } from '../trust/canonical.ts';
import type { DeleteAnswer, DeleteRequest } from './schema/removal.ts';
import { fallbackPath } from './stored/paths.ts';
import { messageFor } from './stored/persist.ts';
import type { SubjectChange, SubjectFiles } from './stored/subject.ts';

/** `POST /v1/continuity/delete`: removes the files of a subject that are named; what is not there is no error. */
export function deleteCapsules(request: DeleteRequest, files: SubjectFiles): SubjectChange<DeleteAnswer> {
  const fallback = fallbackPath(files.path);
  const single: [asked: boolean, path: string, bytes: Buffer | null][] = [
    [request.delete_active === true, files.path, files.active],
    [request.delete_fallback === true, fallback, files.fallback],
  ];
  const asked = single.filter(([isAsked]) => isAsked);
  const archives = request.delete_archive === true ? [...files.archives.keys()].sort(byText) : [];
  const deleted = [...asked.filter(([, , bytes]) => bytes !== null).map(([, path]) => path), ...archives];
  return {
    writes: new Map(deleted.map((path) => [path, null])),
    message: messageFor('delete', request.subject_kind, `${request.subject_id} - ${request.reason}`, null),
    answer: {
      ok: true,
      path: files.path,
      durable: true,
      recovery_warnings: [],
      deleted_paths: deleted,
      missing_paths: asked.filter(([, , bytes]) => bytes === null).map(([, path]) => path),
    },
  };
}
