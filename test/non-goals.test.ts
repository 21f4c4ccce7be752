import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { REGISTRY } from '../compiler/cli/commands/index.ts';
import { sizesOf } from './bench/figures/commands.ts';
import { importsOf, sourcesIn } from './support/architecture.ts';
import { patchesIn } from './support/patched-libraries.ts';

const files = ['compiler', 'server'].flatMap(sourcesIn);
const textOf = (file: string): string => readFileSync(file, 'utf8');

/** Documented settings of a library, with where it documents them. */
const SETTINGS = [
  // @xenova/transformers: "Environment variables", env.localModelPath and others
  'compiler/io/models/pipeline.ts: Object.assign(library.env, settings)',
];

describe('non-goals (DESIGN §1)', () => {
  test('no source starts a cluster of its own', () => {
    expect(files.filter((file) => importsOf(file).some((it) => /^(node:)?cluster$/.test(it)))).toEqual([]);
  });

  test('no source sets flags of the engine, and no program asks for some', () => {
    const units = readdirSync('server/deploy').map((it) => `server/deploy/${it}`);
    const programs = [...files, ...units, 'package.json', 'Dockerfile', 'start.mjs'];
    const flags =
      /setFlagsFromString|--(no-)?(max-|min-)?(semi-space|old-space|heap-|parallel-scavenge|interrupt-budget|opt\b|single-threaded)/;
    expect(programs.filter((file) => flags.test(textOf(file)))).toEqual([]);
  });

  test('no library is changed from outside', () => {
    const patches = files.flatMap((file) => patchesIn(file, textOf(file)).map((it) => `${file}: ${it}`));
    expect(patches.filter((it) => !SETTINGS.includes(it))).toEqual([]);
  });

  test.each([
    "import nlp from 'compromise/two';\nnlp.methods().one.bulkMatch = mine;",
    "import * as fs from 'node:fs';\nObject.defineProperty(fs, 'readFileSync', { value: mine });",
    "const nlp = require('compromise/two') as typeof compromise;\nsweep((nlp.methods() as unknown as Sweeping).one);",
    "const { Pool } = await import('pg');\nPool.prototype.query = mine;",
    "const pool = (await import('pg')).Pool;\n(pool as Loose)['prototype'] ??= mine;",
    "import { Pool } from 'pg';\ndelete Pool.prototype.query;",
  ])('a library that is changed from outside is seen: %j', (text) => {
    expect(patchesIn('a.ts', text)).toHaveLength(1);
  });

  test.each([
    "import express from 'express';\nconst app = express();\napp.request = mine;",
    "import { state } from './state.ts';\nstate.value = 1;",
    "import pg from 'pg';\nlet pool = pg;\npool = mine;",
    "import * as z from 'zod';\nexport const Draft = z.object({}) as unknown as z.ZodType<Draft>;",
  ])('a value of one’s own is not taken for a library: %j', (text) => {
    expect(patchesIn('a.ts', text)).toEqual([]);
  });
});

describe('the size of the command line', () => {
  // who adds a command or a flag raises these on purpose; who removes one lowers them
  test('has as many commands and flags as were agreed', () => {
    expect(sizesOf(REGISTRY)).toEqual({ commands: 73, flags: 554 });
  });
});
