import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { replaceFile } from '../../io/files/durable.ts';
import { readPageFiles } from '../../io/files/page-files.ts';
import { toHtml } from '../../present/page-html.ts';
import { reportAgent } from '../../quality/report/agent.ts';
import { reportDeployment } from '../../quality/report/deployment.ts';
import type { AgentReport } from '../../schema/report/agent-report.ts';
import type { Arguments } from '../../world/flags/flag.ts';
import type { REPORT } from '../../world/flags/quality.ts';
import { previousRoot } from '../../world/trust-keys.ts';
import type { World } from '../../world/world.ts';
import { readAudit, type AuditRead } from './read-audit.ts';
import { openReportedBundle, type ReportedBundle } from './report-bundle.ts';

export type ReportFlags = Arguments<typeof REPORT>;

/**
 * Writes a bundle's report as one HTML file.
 *
 * @throws argument_invalid, bundle_not_found, bundle_unverified, audit_not_found, output_failed
 */
export async function writeReport(args: ReportFlags, world: World) {
  const reported = openReportedBundle(args.bundle, args, world);
  const earlier = previousRoot(args, world);
  const before = args.previous === undefined ? null : openReportedBundle(args.previous, args, world, earlier);
  const audit = args.audit === undefined ? null : await readAudit(reported, { ...args, audit: args.audit }, world);
  const agents = reportAll(reported, before, audit, world);
  const report = reportDeployment({
    bundle: reported.bundle.root.predicate,
    model: reported.bundle.org.model,
    previous: before?.bundle.root.predicate ?? null,
    audit: audit?.span ?? null,
    agents: agents.map((it) => it.summary),
    unread: [],
    shared: reported.shared,
    now: reported.now,
  });
  const html = toHtml({ ...readPageFiles(), report, agents });
  const out = resolve(world.cwd, args.out);
  const there = existsSync(out);
  if (!args['dry-run']) replaceFile(out, html);
  return {
    effect: args['dry-run'] ? (there ? 'would_update' : 'would_create') : there ? 'updated' : 'created',
    out,
    bytes: Buffer.byteLength(html),
    revision: reported.bundle.revision,
    agents: agents.length,
    audited: audit?.span.answers ?? null,
    spooled: audit?.spooled ?? 0,
  };
}

function reportAll(
  reported: ReportedBundle,
  before: ReportedBundle | null,
  audit: AuditRead | null,
  world: World,
): AgentReport[] {
  const agents: AgentReport[] = [];
  for (const [at, name] of reported.agents.entries()) {
    world.progress('agents', at, reported.agents.length);
    const earlier = before && (before.agents.includes(name) ? before.read(name) : null);
    const figures = audit?.figuresOf(name) ?? null;
    agents.push(reportAgent(reported.read(name), { before: before ? earlier : undefined, audit: figures }));
  }
  return agents;
}
