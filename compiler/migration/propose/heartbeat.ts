import { stemOf } from '../documents/names.ts';
import type { Section } from '../documents/sections.ts';

const NAMED =
  /\b(?:heartbeat|on wake|wake[- ]?up|daily (?:routine|round)|every (?:morning|session|run)|session start|start of (?:a|each|every) session|startup|routine)\b/i;
const ROUTINE =
  /\b(?:every (?:morning|day|heartbeat|run|session|wake)|each (?:run|session|heartbeat)|when(?:ever)? (?:you wake|woken|invoked))\b/i;

/** A unit that says how work is left: of a handbook without heartbeats the nearest to a procedure of every run. */
export const LEAVING = /^(?:wrap-?up|exit|leaving|finish|hand-?over|end-of-)/;

/** Similarity of a section to the tasks of a heartbeat; 0 for none. */
export function heartbeatWeight({ title, document, isPreamble, plain }: Section): number {
  const own = NAMED.test(title);
  const around = /heartbeat/i.test(`${stemOf(document.path)} ${document.title ?? ''}`);
  return (own ? 4 : 0) + (around ? (isPreamble ? 3 : 2) : 0) + (ROUTINE.test(plain.slice(0, 2000)) ? 1 : 0);
}
