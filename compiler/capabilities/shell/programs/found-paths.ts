import { QUOTED_HOLE, STAR, type Field } from '../words/field.ts';

/** What `find` may find: names below its folders, narrowed by `-name`. */
export function foundBy(args: readonly Field[]): Field[] {
  const firstTest = args.findIndex((it) => /^[-(!]/.test(it));
  const folders = args.slice(0, firstTest < 0 ? args.length : firstTest);
  const hasOr = args.some((it) => it === '-o' || it === '-or' || it === '-not' || it === '!');
  const named = args.findIndex((it) => it === '-name' || it === '-iname');
  const name = named < 0 || hasOr ? '' : (args[named + 1] ?? '').replaceAll(/[*?]|\[[^\]]*\]/g, STAR);
  const isFlat = args.some((it, at) => it === '-maxdepth' && args[at + 1] === '1');
  const below = isFlat ? '' : `${QUOTED_HOLE}/`;
  const last = name === '' ? QUOTED_HOLE : below + name;
  return (folders.length === 0 ? ['.'] : folders).map((it) => `${it.replace(/\/$/, '')}/${last}`);
}
