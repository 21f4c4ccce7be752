import { isCommit, NO_COMMIT, short } from './wording.ts';

/** A commit in its short form. */
export function Commit({ id }: { readonly id: string }) {
  return isCommit(id) ? <code>{short(id)}</code> : <>{NO_COMMIT}</>;
}

/** The same in a sentence. */
export function InCommit({ id }: { readonly id: string }) {
  return (
    <>
      {isCommit(id) ? 'commit ' : ''}
      <Commit id={id} />
    </>
  );
}
