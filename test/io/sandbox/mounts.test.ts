import { describe, expect, test } from 'vitest';
import { mountOf, readMounts } from '../../../compiler/io/sandbox/mounts.ts';

const TEXT = String.raw`27 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw,discard
28 27 0:25 / /mnt/a\040b rw,nosuid,nodev,noexec - tmpfs none rw
29 27 0:26 / /data rw,noatime - ext4 /dev/vdb ro
30 27 0:27 / /data/x ro,relatime - ext4 /dev/vdc rw
31 27 0:28 / /twice rw,relatime - tmpfs none rw
32 31 0:29 / /twice ro,nosuid,relatime - tmpfs none rw
`;

describe('the mounts of a process', () => {
  test('keep their flags, also that one keeps times strictly', () => {
    expect(readMounts(TEXT)[1]).toEqual({
      path: '/mnt/a b',
      flags: ['nosuid', 'nodev', 'noexec', 'strictatime'],
      isWritable: true,
    });
  });

  test('are writable only if their file system is too', () => {
    const writable = readMounts(TEXT).filter((it) => it.isWritable);
    expect(writable.map((it) => it.path)).toEqual(['/', '/mnt/a b']);
  });

  test('are seen as the last one at a path is', () => {
    expect(readMounts(TEXT).find((it) => it.path === '/twice')?.flags).toEqual(['nosuid', 'relatime']);
  });

  test('hold a path by the innermost', () => {
    const mounts = readMounts(TEXT);
    const found = ['/data/x/y', '/data/xy', '/etc'].map((it) => mountOf(it, mounts)?.path);
    expect(found).toEqual(['/data/x', '/data', '/']);
  });

  test('are none where the text is none', () => {
    expect(readMounts('')).toEqual([]);
  });
});
