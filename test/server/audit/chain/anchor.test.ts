import { appendFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  anchorLedger,
  anchorPath,
  missingFrom,
  openAnchor,
  readAnchor,
} from '../../../../server/audit/chain/anchor.ts';
import { signPoint } from '../../../../server/audit/chain/checkpointer.ts';
import { checkpointSignerOf } from '../../../../server/audit/chain/keys.ts';
import { retireSegments } from '../../../../server/audit/chain/retention.ts';
import { tempFolder } from '../../../support/folder.ts';
import { newSigner } from '../../../support/staff.ts';
import { sign, verifyEnvelope } from '../harness.ts';
import { memoryAudit } from '../memory-ledger.ts';
import { START } from '../records.ts';

let state: string;
let path: string;

beforeEach(() => {
  state = join(tempFolder(), 'audit');
  path = anchorPath(state);
});

const head = (writer: string, n: number) => ({ writer, n, hash: String(n).padStart(64, '0') });
const point = (writer: string, n: number, by = sign) => signPoint('checkpoint', head(writer, n), START, by);
const keep = (...points: readonly [string, number][]) => {
  const anchor = openAnchor(state);
  for (const it of points) anchor.keep(point(...it));
  return anchor;
};
const read = () => readAnchor(path, verifyEnvelope);
const lines = () => readFileSync(path, 'utf8').split('\n').slice(0, -1);
const line = (writer: string, n: number) => JSON.stringify(JSON.parse(point(writer, n).envelope));

describe('an anchor', () => {
  test('names the last head of each writer, in a file for its owner alone', () => {
    expect([existsSync(path), read()]).toEqual([false, null]);
    expect(keep(['a', 2], ['b', 3], ['a', 5]).existed).toBe(false);
    expect(lines()).toEqual([line('a', 2), line('b', 3), line('a', 5)]);
    expect(read()).toEqual([head('a', 5), head('b', 3)]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(openAnchor(state).existed).toBe(true);
  });

  test('names the highest head of a writer, and of two at one place the last', () => {
    keep(['a', 5], ['a', 2]);
    expect(read()).toEqual([head('a', 5)]);
    const other = { ...head('a', 5), hash: 'f'.repeat(64) };
    openAnchor(state).keep(signPoint('checkpoint', other, START, sign));
    expect(read()).toEqual([other]);
  });

  test('ignores a last line that a crash cut off, and the next start ends it', () => {
    keep(['a', 2]);
    appendFileSync(path, line('a', 9).slice(0, 20));
    expect(read()).toEqual([head('a', 2)]);
    keep(['a', 3]);
    expect(lines()).toEqual([line('a', 2), line('a', 3)]);
  });

  test('is refused where a line is not signed by a trusted key, with the number of the line', () => {
    const refusal = (n: number) =>
      expect.objectContaining({
        code: 'audit_unverified',
        details: { writer: null, n, problem: 'anchor_unproven' },
      }) as Error;
    keep(['a', 2]).keep(point('b', 3, checkpointSignerOf(newSigner())));
    expect(read).toThrow(refusal(2));
    writeFileSync(path, `{}\n${line('a', 2)}\n`);
    expect(read).toThrow(refusal(1));
  });

  test('drops superseded lines while its server runs, long before the next start could not read it', () => {
    const anchor = keep(['a', 2], ['b', 3]);
    const long = `${line('a', 2)}\n`;
    appendFileSync(path, long.repeat(Math.ceil(33_554_432 / long.length)));
    anchor.keep(point('a', 4));
    expect(lines()).toEqual([line('a', 2), line('b', 3), line('a', 4)]);
    expect(read()).toEqual([head('a', 4), head('b', 3)]);
  });

  test('drops superseded lines at a start with more than 5000, and keeps every line that is none', () => {
    const many = Array.from({ length: 4996 }, () => line('a', 2));
    const kept = ['no line', '{}', 'no line', line('b', 7)];
    const write = (...all: readonly string[]) => {
      writeFileSync(path, `${all.join('\n')}\n`, { mode: 0o600 });
    };
    write(...many, ...kept);
    openAnchor(state);
    expect(lines()).toHaveLength(5000);
    write(...many, ...kept, line('a', 3));
    openAnchor(state);
    expect(lines()).toEqual([line('a', 3), ...kept]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('that cannot be read or written is an error', () => {
    mkdirSync(path);
    const failed = expect.objectContaining({ code: 'output_failed' }) as Error;
    expect(read).toThrow(failed);
    expect(() => openAnchor(state)).toThrow(failed);
    const elsewhere = openAnchor(join(state, 'missing'));
    expect(() => {
      elsewhere.keep(point('a', 2));
    }).toThrow('ENOENT');
  });
});

describe('an anchor beside its store', () => {
  test('is given the last checkpoint of each chain that is ahead of it', async () => {
    const audit = memoryAudit();
    for (const [i, writer] of ['a', 'b', 'c', 'd'].entries()) {
      audit.recalls(writer, 10 * i);
      if (writer !== 'd') audit.sign(writer);
    }
    audit.recalls('a', 50);
    audit.sign('a');
    const known = [{ ...head('a', 2) }, { ...head('b', 2) }, { ...head('e', 9) }];
    expect(await anchorLedger(audit.ledger, openAnchor(state), known)).toBe(2);
    expect(read()).toEqual([
      { writer: 'a', n: 3, hash: audit.at('a', 3).hash },
      { writer: 'c', n: 2, hash: audit.at('c', 2).hash },
    ]);
    expect(await anchorLedger(audit.ledger, openAnchor(state), read() ?? [])).toBe(1);
    audit.append('opened');
    audit.sign('opened');
    expect(await anchorLedger(audit.ledger, openAnchor(state), read() ?? [])).toBe(1);
  });

  test('tells the chains that the store lacks, neither complete nor retired', async () => {
    const audit = memoryAudit();
    for (const writer of ['a', 'b']) {
      audit.recalls(writer, writer.charCodeAt(0), 2 * writer.charCodeAt(0));
      audit.sign(writer);
    }
    const own = (writer: string, n: number) => ({ writer, n, hash: audit.at(writer, n).hash });
    const [ofA, ofB] = [own('a', 3), own('b', 3)];
    await retireSegments(audit.ledger, [ofB], sign, START);
    const heads = [ofA, ofB, { ...ofB, n: 2 }, { ...ofB, n: 4 }, { ...ofA, hash: 'x' }, head('gone', 1)];
    expect(await missingFrom(audit.ledger, heads)).toEqual(['b', 'a', 'gone']);
  });
});
