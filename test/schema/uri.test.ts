import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  EntityUri,
  formatUri,
  gardenId,
  Name,
  parseUri,
  seriesUri,
  SHARED,
  unitUri,
} from '../../compiler/schema/uri.ts';

const name = fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,20}$/);
const uri = fc.record({
  deployment: name,
  agent: fc.option(name.filter((it) => it !== 'agent')),
  unit: name,
  version: fc.integer({ min: 1, max: 999_999_999 }),
});

describe('§21.4.1 instruction: URIs', () => {
  test('read as they were written', () => {
    fc.assert(
      fc.property(uri, (it) => {
        expect(parseUri(formatUri(it))).toEqual(it);
      }),
    );
  });

  test('are accepted without agent/ and written with it', () => {
    fc.assert(
      fc.property(uri, (it) => {
        const short = formatUri(it).replace('/agent/', '/');
        expect(parseUri(short)).toEqual(it);
      }),
    );
  });

  test('look like the examples of the specification', () => {
    expect(unitUri('acme', 'cto', 'security-posture', 2)).toBe('instruction:acme/agent/cto/security-posture/v2');
    expect(unitUri('acme', SHARED, 'heartbeat-contract', 1)).toBe('instruction:acme/heartbeat-contract/v1');
    expect(unitUri('acme', 'cto', 'manifest', 3)).toBe('instruction:acme/agent/cto/manifest/v3');
    expect(gardenId('acme', '8e0ed057-bcd8-4f8f-92ee-c046c55b64e9')).toBe(
      'instruction:acme:8e0ed057-bcd8-4f8f-92ee-c046c55b64e9',
    );
  });

  test('of one series differ in their version alone', () => {
    fc.assert(
      fc.property(uri, fc.integer({ min: 1, max: 99 }), (it, version) => {
        expect(seriesUri({ ...it, version })).toBe(seriesUri(it));
        expect(formatUri(it)).toBe(`${seriesUri(it)}/v${it.version}`);
      }),
    );
  });

  test.each([
    ['a floating alias', 'instruction:acme/agent/cto/limits/latest'],
    ['version 0', 'instruction:acme/agent/cto/limits/v0'],
    ['a version with a leading zero', 'instruction:acme/agent/cto/limits/v01'],
    ['no version', 'instruction:acme/agent/cto/limits'],
    ['another scheme', 'memory:acme/agent/cto/limits/v1'],
    ['a capital', 'instruction:acme/agent/CTO/limits/v1'],
    ['an empty segment', 'instruction:acme/agent//limits/v1'],
    ['a segment that climbs', 'instruction:acme/agent/../limits/v1'],
    ['a segment too many', 'instruction:acme/agent/cto/more/limits/v1'],
    ['a newline behind it', 'instruction:acme/agent/cto/limits/v1\n'],
    ['something before it', ' instruction:acme/agent/cto/limits/v1'],
    ['nothing at all', ''],
  ])('with %s are none', (_, text) => {
    expect(parseUri(text)).toBeNull();
  });
});

describe('DESIGN §5 names', () => {
  test.each(['a', '0', 'wrap-up', 'a'.repeat(64)])('%s is one', (it) => {
    expect(Name.safeParse(it).success).toBe(true);
  });

  test.each(['', '-a', 'A', 'a_b', 'a.b', 'a/b', 'ä', 'a b', 'a\n', 'a'.repeat(65)])('“%s” is none', (it) => {
    expect(Name.safeParse(it).success).toBe(false);
  });
});

describe('DESIGN §6.1 entity URIs', () => {
  test.each(['acme/human/ada-lovelace', 'acme/system/release.bot', 'acme/agent/cto'])('%s is one', (it) => {
    expect(EntityUri.safeParse(it).success).toBe(true);
  });

  test.each(['acme/robot/r2d2', 'acme/human/', 'human/ada', 'acme/human/ada/x', 'acme/human/Ada', '/human/ada'])(
    '“%s” is none',
    (it) => {
      expect(EntityUri.safeParse(it).success).toBe(false);
    },
  );
});
