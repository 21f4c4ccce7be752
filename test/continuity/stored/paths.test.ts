import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { activePath, archivePath, fallbackPath, stateAt } from '../../../compiler/continuity/stored/paths.ts';
import { messageFor } from '../../../compiler/continuity/stored/persist.ts';
import { sha256 } from '../../../compiler/trust/canonical.ts';
import { NOW } from '../capsules.ts';

const FREE = () => false;

describe('paths of capsules', () => {
  test.each([
    ['store', 'memory/continuity/thread-store.json'],
    ['  The Store! ', 'memory/continuity/thread-the-store.json'],
    ['stef-k/CogniRelay#12', 'memory/continuity/thread-stef-k-cognirelay-12.json'],
    ['..', 'memory/continuity/thread-...json'],
    ['../../etc/passwd', 'memory/continuity/thread-..-..-etc-passwd.json'],
    ['x'.repeat(200), `memory/continuity/thread-${'x'.repeat(120)}.json`],
  ])('%j lies at %s', (id, path) => {
    expect(activePath('thread', id, FREE)).toBe(path);
  });

  test('an id that normalises to a taken path gets a suffix of eight hex digits; so does one of which nothing is left', () => {
    const taken = new Set(['memory/continuity/thread-a-b.json']);
    const path = activePath('thread', 'A b', (it) => taken.has(it));
    expect(path).toMatch(/^memory\/continuity\/thread-a-b-[0-9a-f]{8}\.json$/);
    expect(path).toContain(sha256('A b').slice(0, 8));
    expect(activePath('thread', 'A b', (it) => taken.has(it))).toBe(path);
    expect(activePath('thread', 'λόγος', FREE)).toMatch(/^memory\/continuity\/thread-[0-9a-f]{8}\.json$/);
    taken.add(path);
    expect(activePath('thread', 'A b', (it) => taken.has(it))).not.toBe(path);
  });

  test('a subject stays where its files are, whichever name has become free', () => {
    const own = activePath('thread', 'A b', (it) => it === 'memory/continuity/thread-a-b.json');
    expect(activePath('thread', 'A b', FREE, (it) => it === own)).toBe(own);
    expect(activePath('thread', 'A b', FREE, FREE)).toBe('memory/continuity/thread-a-b.json');
  });

  test('property: any number of ids have different paths, all below the folder of capsules', () => {
    const id = fc.oneof(
      fc.string({ minLength: 1, maxLength: 200, unit: 'grapheme' }),
      fc.constantFrom('a b', 'A-b', 'a/b', 'é', 'è'),
    );
    fc.assert(
      fc.property(fc.uniqueArray(id, { maxLength: 12 }), (ids) => {
        const taken = new Set<string>();
        for (const it of ids) taken.add(activePath('task', it, (path) => taken.has(path)));
        expect(taken.size).toBe(ids.length);
        for (const path of taken) {
          expect(path).toMatch(/^memory\/continuity\/task-[a-z0-9._-]+\.json$/);
          expect([path, fallbackPath(path), archivePath(path, NOW, FREE)].map(stateAt)).toEqual([
            'active',
            'fallback',
            'archived',
          ]);
        }
      }),
    );
  });

  test.each(['README.md', 'memory/continuity/x.md', 'memory/continuity/other/x.json', 'memory/x.json'])(
    '%s is no file of a capsule',
    (path) => {
      expect(stateAt(path)).toBeNull();
    },
  );
});

describe('the message of a commit', () => {
  test('it is the own one of the agent, or says what was done; it is one line without NUL', () => {
    expect(messageFor('upsert', 'thread', 'a\nb\0c', null)).toBe('continuity: upsert thread a b c');
    expect(messageFor('upsert', 'thread', 'a', 'close the\nloop')).toBe('close the loop');
    expect(messageFor('upsert', 'thread', 'a', '  ')).toBe('continuity: upsert thread a');
  });
});
