import { sha256 } from '../../../compiler/trust/canonical.ts';

/**
 * A commit writes every tree that its files are in, whole. With a thousand capsules in one folder that was most of what a
 * change cost, so that each file lies in one of 64 folders: the trees stay small.
 */
const SHARDS = 64;

const FOLDER = String.raw`memory/continuity(?:/(?:fallback|archive))?`;
const NAME = String.raw`[\w=@+-][\w.=@+-]{0,240}\.json`;
const PLAIN = new RegExp(`^(${FOLDER})/(${NAME})$`);
const SHARDED = new RegExp(`^(${FOLDER})/([0-9a-f]{2})/(${NAME})$`);

/** Where git has a file: `memory/continuity/2a/thread-x.json` for `memory/continuity/thread-x.json`. Others stay. */
export function shardedPath(path: string): string {
  const [, folder = '', name = ''] = PLAIN.exec(path) ?? [];
  return name === '' ? path : `${folder}/${shardOf(name)}/${name}`;
}

/** The path of the specification of a file that is in its shard; any other path as it is. */
export function plainPath(path: string): string {
  const [, folder = '', shard = '', name = ''] = SHARDED.exec(path) ?? [];
  return name !== '' && shard === shardOf(name) ? `${folder}/${name}` : path;
}

/** Whether a file that would be of a capsule lies outside its shard: it is nobody's, since two files must not have one path. */
export function isStray(path: string): boolean {
  return path.startsWith('memory/continuity/') && path.endsWith('.json') && plainPath(path) === path;
}

function shardOf(name: string): string {
  const number = Number.parseInt(sha256(name).slice(0, 2), 16) % SHARDS;
  return number.toString(16).padStart(2, '0');
}
