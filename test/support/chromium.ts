import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { afterFile } from './after-file.ts';
import { isThere } from './is-there.ts';
import { describeWhere } from './loudly.ts';

const NAMES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const program = findProgram();
const missing = 'Chromium is not installed: run bash test/support/chromium.sh';

/** `describe` for tests that need a real browser. */
export const describeChromium = describeWhere(program !== null, 'the page', missing);

function findProgram(): string | null {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(isThere) ?? null;
}

let browser: Promise<Browser> | null = null;

/** A page with what went wrong on it: errors and warnings of the console, exceptions, requests to anywhere else. */
export interface Watched {
  readonly page: Page;
  readonly wrong: readonly string[];
}

function launched(program: string, args: string[]): Promise<Browser> {
  const launching = chromium.launch({ executablePath: program, args });
  afterFile(async () => {
    browser = null;
    await (await launching).close();
  });
  return launching;
}

/** Opens an address in a browser that ends with the test file. */
export async function openPage(url: string, options: BrowserContextOptions = {}): Promise<Watched> {
  if (program === null) throw new Error(missing);
  // root, as in containers, cannot have Chromium's sandbox
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  browser ??= launched(program, args);
  const page = await (await (await browser).newContext(options)).newPage();
  const wrong: string[] = [];
  const origin = new URL(url).origin;
  page.on('console', (it) => {
    if (it.type() === 'error' || it.type() === 'warning') wrong.push(`${it.type()}: ${it.text()}`);
  });
  page.on('pageerror', (error) => wrong.push(`exception: ${error.message}`));
  page.on('request', (it) => {
    if (it.url() !== url && new URL(it.url()).origin !== origin) wrong.push(`request: ${it.url().slice(0, 100)}`);
  });
  await page.goto(url);
  return { page, wrong };
}

/** Opens everything that is folded away. */
export async function openAll(page: Page): Promise<void> {
  await page.evaluate("for (const it of document.querySelectorAll('details')) it.open = true");
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Faults that axe finds serious or critical, by rule and place. */
export async function axeFaults(page: Page): Promise<string[]> {
  // by the debugger's own way: the page's policy lets no other script in
  await page.evaluate(AXE);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run: (where: object) => Promise<AxeResults> } };
    const { violations } = await axe.run(document);
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map((it) => `${id}: ${it.target.join(' ')} ${it.failureSummary ?? ''}`));
  });
}

interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string;
    readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary?: string }[];
  }[];
}

declare const document: object;
