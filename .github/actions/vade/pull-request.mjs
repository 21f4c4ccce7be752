// Checks the instructions of a pull request as main's compile will, and compares what agents get. It has no secret and
// no right to write: everything here is also run for a fork.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { baseOf, fileAt } from './commits.mjs';
import { annotate, environment, output, readEvent, sourceFolder, summary, trustPath, workFolder } from './job.mjs';
import { vade } from './vade.mjs';

export function run() {
  const folder = workFolder();
  const base = baseOf(readEvent());
  const root = rootOf(base, folder);
  const lint = vade(['lint', '--source', sourceFolder(), '--report', 'github']);
  const head = join(folder, 'head');
  const compiled = vade(['compile', '--source', sourceFolder(), '--dev', '--base', base, '--out', head]);
  const before = baseBundle(base, root, folder);
  const checks = [compiled, ...check({ base, root, before, folder })];
  if (before === null) annotate('notice', 'nothing to compare with', 'the base of this pull request does not compile');
  else compare({ checks, before, head, folder });
  return [lint, ...checks].find(({ status }) => status !== 0)?.status ?? 0;
}

/** The trust root of the base: a pull request does not choose who judges it. The first one brings its own. */
function rootOf(base, folder) {
  const path = trustPath();
  const found = fileAt(base, path) ?? fileAt('HEAD', path);
  if (found === null) return null;
  const file = join(folder, 'root.json');
  writeFileSync(file, found);
  return file;
}

/** Main's signed bundle if the job has fetched it, else the base compiled for development; null if that fails. */
function baseBundle(base, root, folder) {
  const signed = environment('VADE_BASE');
  if (signed !== '' && root !== null) return { path: signed, trust: root };
  const path = join(folder, 'base');
  const { status } = vade(['compile', '--source', sourceFolder(), '--dev', '--ref', base, '--out', path], {
    severity: 'notice',
  });
  return status === 0 ? { path, trust: null } : null;
}

/**
 * Runs main's compile in advance: under its trust root, so that a missing approval is an error, and after the earlier
 * bundle, so that lost probes count. A development bundle is no earlier one of a signed bundle: that takes two runs.
 */
function check({ base, root, before, folder }) {
  const compile = [
    'compile',
    '--source',
    sourceFolder(),
    '--dry-run',
    '--base',
    base,
    '--out',
    join(folder, 'checked'),
  ];
  const after = before === null ? [] : ['--previous', before.path];
  if (root === null) return [vade([...compile, '--dev', ...after])];
  const signed = before?.trust ? after : [];
  const underRoot = vade([...compile, '--trust', root, ...signed]);
  return before?.trust === null ? [underRoot, vade([...compile, '--dev', ...after])] : [underRoot];
}

/** Writes the comparison and the page, shows them, and annotates the probes that fail. */
function compare({ checks, before, head, folder }) {
  const results = checks.map(({ stdout }, at) => {
    const file = join(folder, `check-${at}.json`);
    writeFileSync(file, stdout);
    return ['--result', file];
  });
  const trust = (flag) => (before.trust === null ? [] : [flag, before.trust]);
  const sides = ['--base', before.path, ...trust('--base-trust'), '--head', head];
  const compared = vade(['comment', '--dev', ...sides, ...results.flat()]);
  if (compared.status !== 0) return;
  const comparison = join(folder, 'comparison.json');
  writeFileSync(comparison, compared.stdout);
  output('comparison', comparison);
  summary(vade(['comment', '--comparison', comparison, '--format', 'markdown']).stdout);
  if (!existsSync(head)) return;
  const previous = ['--previous', before.path, ...trust('--previous-trust')];
  const report = join(folder, 'report.html');
  if (vade(['report', '--dev', '--bundle', head, ...previous, '--out', report]).status === 0) output('report', report);
  // it fails where there is no probe yet, and where a compile does, which the checks tell
  vade(['probe', '--dev', '--bundle', head, ...previous, '--report', 'github'], { severity: 'notice' });
}
