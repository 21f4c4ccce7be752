import type { Field } from '../words/field.ts';

const CONTAINERS = /^(docker|podman|nerdctl)$/;
const OPTION = /^(?:-[a-z]*v|--volume|--mount)(?:=([^]*))?$/;

/** Folders that a container is given to write: what runs in it writes there, and no word of it tells which file. */
export function mountedFolders(name: string, args: readonly Field[]): Field[] {
  if (!CONTAINERS.test(name)) return [];
  return args.flatMap((it, at) => {
    const found = OPTION.exec(it);
    return found === null ? [] : sourceOf(found[1] ?? args[at + 1] ?? '');
  });
}

/** `source:target:options`, or `type=bind,source=…,target=…`; a name without a slash is a volume of its own. */
function sourceOf(mount: Field): Field[] {
  const [source = '', ...rest] = mount.split(':');
  const named = /(?:^|,)(?:src|source)=([^,]*)/.exec(mount)?.[1];
  const options = named === undefined ? (rest[1] ?? '').split(',') : mount.split(',');
  const isRead = options.some((it) => /^(ro|readonly)(=(true|1))?$/.test(it));
  const folder = named ?? source;
  return isRead || (named === undefined && rest.length === 0) || !/^[./~]|\//.test(folder) ? [] : [folder];
}
