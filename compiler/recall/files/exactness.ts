/**
 * How exactly a pattern means a file: the number of letters that it spells out, without a file's ending. It is 0 for
 * every file of an ending (a pattern such as `*.ts`), and for every file of a repository.
 */
export function exactness(pattern: string): number {
  return pattern.replace(/(?<=[^./])\.[^./]*$/, '').replace(/[*?{},/]/g, '').length;
}
