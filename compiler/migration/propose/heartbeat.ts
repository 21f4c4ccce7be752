import { stemOf } from '../documents/names.ts';
import type { Section } from '../documents/sections.ts';

/** The unit that is proposed where no section says what an agent does on every heartbeat. */
export const HEARTBEAT = {
  title: 'Heartbeat',
  description: 'What to do at every heartbeat, from waking up to leaving.',
  // few words: it must not draw questions from the sections of the handbook
  intents: ['how does a heartbeat go'],
  keywords: ['heartbeat', 'wake', 'begin'],
  text: `# Heartbeat

1. Read why you were woken, and the task at hand.
2. Call \`recall_instruction\` with what you are about to do, follow what it returns, and call it again when the task changes.
3. Before you leave, report which recalled instructions you used, and which you missed.`,
};

const NAMED =
  /\b(?:heartbeat|on wake|wake[- ]?up|daily (?:routine|round)|every (?:morning|session|run)|session start|start of (?:a|each|every) session|startup|routine)\b/i;
const ROUTINE =
  /\b(?:every (?:morning|day|heartbeat|run|session|wake)|each (?:run|session|heartbeat)|when(?:ever)? (?:you wake|woken|invoked))\b/i;

/** How much a section looks like what an agent does on every heartbeat; 0 for one that does not. */
export function heartbeatWeight({ title, document, isPreamble, plain }: Section): number {
  const own = NAMED.test(title);
  const around = /heartbeat/i.test(`${stemOf(document.path)} ${document.title ?? ''}`);
  return (own ? 4 : 0) + (around ? (isPreamble ? 3 : 2) : 0) + (ROUTINE.test(plain.slice(0, 2000)) ? 1 : 0);
}
