import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { formatted } from '../../support/formatted.ts';
import { FIGURES, keptFigures } from './figure.ts';
import { renderPage } from './render-page.ts';

const PAGE = 'test/bench/README.md';

/** With `VADE_UPDATE_FIGURES=1`, writes the figures of a run into the page when it ends. */
export default function writePage(): (() => Promise<void>) | undefined {
  if (process.env['VADE_UPDATE_FIGURES'] !== '1') return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'vade-figures-'));
  const path = join(folder, 'figures.jsonl');
  process.env[FIGURES] = path;
  return async () => {
    const page = renderPage(readFileSync(PAGE, 'utf8'), keptFigures(path), machine());
    writeFileSync(PAGE, await formatted(PAGE, page));
    rmSync(folder, { recursive: true });
  };
}

function machine(): string {
  const cores = cpus();
  const gibibytes = Math.round(totalmem() / 2 ** 30);
  const day = new Date().toISOString().slice(0, 10);
  return `Measured on ${day}: ${cores.length} cores (${cores[0]?.model ?? 'unknown'}), ${gibibytes} GiB, ${process.platform}, Node ${process.versions.node}.`;
}
