import { Document, isSeq, Scalar, type Node } from 'yaml';
import type { ProbeCandidate } from '../../schema/report/probe-candidate.ts';

/** Proposed probes in the form of `instructions/probes/<agent>.yaml`, each with its reasons as a comment. */
export function renderCandidates(candidates: readonly ProbeCandidate[]): string {
  const probes = candidates.map(({ intent, required }) => ({ intent: quoted(intent), required }));
  const document = new Document({ probes });
  const items = document.get('probes');
  if (isSeq(items)) {
    candidates.forEach((candidate, i) => {
      (items.items[i] as Node).commentBefore = reasonsOf(candidate);
      const required = document.getIn(['probes', i, 'required'], true);
      if (isSeq(required)) required.flow = true;
    });
  }
  document.commentBefore =
    ' Proposed from the audit. Read each one before it becomes a probe: <brackets> replace redacted words.';
  return document.toString({ lineWidth: 0 });
}

function quoted(text: string): Scalar<string> {
  const scalar = new Scalar(text);
  scalar.type = Scalar.QUOTE_DOUBLE;
  return scalar;
}

function reasonsOf({ times, missed, chosen, passes, rarely }: ProbeCandidate): string {
  const asked = `asked ${times} ${times === 1 ? 'time' : 'times'}`;
  const more = [
    ...(missed > 0 ? [`missed ${missed}`] : []),
    ...(chosen > 0 ? [`chosen ${chosen}`] : []),
    passes ? 'found now' : 'not found now',
    ...(rarely.length > 0 ? [`rarely used or missed: ${rarely.join(', ')}`] : []),
  ];
  return ` ${[asked, ...more].join('; ')}`;
}
