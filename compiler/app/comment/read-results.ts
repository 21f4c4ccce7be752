import { resolve } from 'node:path';
import { z } from 'zod';
import { readRegular } from '../../io/files/file.ts';
import { VadeError } from '../../schema/errors.ts';
import { Comparison, ReportedDiagnostic } from '../../schema/report/comparison.ts';
import { ReplayReport, type ReplayedRecall } from '../../schema/report/replay-report.ts';
import type { World } from '../../world/world.ts';

/** The limit for a result of another command. */
const MAX_RESULT_BYTES = 16 * 1024 * 1024;

/** The envelope of `vade compile` and `vade lint`: an error has all its diagnostics, a success has warnings. */
const Result = z.object({
  error: z.object({ context: z.object({ faults: z.array(ReportedDiagnostic).optional() }) }).nullable(),
  warnings: z.array(z.object({ context: z.unknown().optional() })),
});

/** Diagnostics in the output of `vade compile` or `vade lint`. Untrusted. @throws source_not_found, argument_invalid */
export function readResult(file: string, world: World): ReportedDiagnostic[] {
  const { error, warnings } = parsed(Result, file, 'the JSON of vade compile or vade lint', world);
  const warned = warnings.flatMap(({ context }) => ReportedDiagnostic.safeParse(context).data ?? []);
  return [...(error?.context.faults ?? []), ...warned];
}

/** The changed recalls in the JSON that `vade replay` printed. Untrusted. @throws source_not_found, argument_invalid */
export function readReplay(file: string, world: World): readonly ReplayedRecall[] {
  const Replay = z.object({ data: ReplayReport.pick({ changed: true }) });
  return parsed(Replay, file, 'the JSON of vade replay', world).data.changed;
}

/** A comparison in the JSON that `vade comment` printed. Untrusted. @throws source_not_found, argument_invalid */
export function readComparison(file: string, world: World): Comparison {
  return parsed(z.object({ data: Comparison }), file, 'the JSON of vade comment', world).data;
}

/** A file of JSON that a schema accepts. @throws source_not_found, argument_invalid */
function parsed<T>(schema: z.ZodType<T>, file: string, what: string, world: World): T {
  const result = schema.safeParse(jsonIn(file, what, world));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const where = issue === undefined ? '' : `: ${issue.path.join('.')}: ${issue.message}`;
  throw new VadeError('argument_invalid', `${file} is not ${what}${where}`, { file });
}

function jsonIn(file: string, what: string, world: World): unknown {
  const text = read(file, world).toString('utf8');
  try {
    return JSON.parse(text);
  } catch {
    throw new VadeError('argument_invalid', `${file} is not ${what}: it is not JSON`, { file });
  }
}

function read(file: string, world: World): Buffer {
  try {
    return readRegular(resolve(world.cwd, file), MAX_RESULT_BYTES);
  } catch (error) {
    if (error instanceof VadeError) throw error;
    throw new VadeError('source_not_found', `${file} cannot be read`, { file });
  }
}
