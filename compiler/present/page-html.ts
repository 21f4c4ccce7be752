import { hash } from 'node:crypto';
import type { AgentReport } from '../schema/report/agent-report.ts';
import type { Report } from '../schema/report/report.ts';

/** The parts of a self-contained HTML file. */
export interface HtmlParts {
  readonly script: string;
  readonly style: string;
  readonly report: Report;
  readonly agents: readonly AgentReport[];
}

/**
 * The report as one HTML file. It loads nothing, and its content security policy allows only its own script and style
 * sheet. Data is in blocks that a browser never parses as markup, because texts of authors are untrusted.
 */
export function toHtml({ script, style, report, agents }: HtmlParts): string {
  const program = inScript(script);
  const rules = lines(style);
  const policy = [
    "default-src 'none'",
    `script-src ${digestOf(program)}`,
    `style-src ${digestOf(rules)}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const blocks = [jsonBlock('report', report), ...agents.map((it) => jsonBlock(`agent:${it.summary.name}`, it))];
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="referrer" content="no-referrer">',
    `<title>${escapeText(report.deployment)} · Vademecum</title>`,
    `<style>${rules}</style>`,
    '</head>',
    '<body>',
    '<div id="app"><noscript>This page draws its report with JavaScript, all of it in this file.</noscript></div>',
    ...blocks,
    `<script>${program}</script>`,
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

/** The page that a server sends; its script requests the data. */
export function toShell(): string {
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<title>Vademecum</title>',
    '<link rel="stylesheet" href="ui/app.css">',
    '</head>',
    '<body>',
    '<div id="app"><noscript>This page needs JavaScript.</noscript></div>',
    '<script src="ui/app.js"></script>',
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

/** JSON without any `<`, so that no text of an author can end the block. */
function jsonBlock(id: string, value: unknown): string {
  return `<script type="application/json" id="${escapeText(id)}">${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`;
}

/** A script that is safe inside a script element, with the line ends that a browser uses for its digest. */
function inScript(program: string): string {
  return lines(program).replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
}

function lines(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}

function digestOf(text: string): string {
  return `'sha256-${hash('sha256', text, 'base64')}'`;
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function escapeText(text: string): string {
  return text.replace(/[&<>"]/g, (it) => ENTITIES[it] ?? '');
}
