import { skillsListedBy } from '../../compiler/hosts/hosts.ts';
import { skillPlaces } from '../../compiler/io/files/skill-places.ts';
import { CLOSE_TOOL, RECALL_TOOL, toolOutline } from '../../compiler/schema/api/recall-tool.ts';
import { RecallRequest } from '../../compiler/schema/api/recall.ts';
import { Closing, NamedClosing } from '../../compiler/schema/audit/record.ts';
import { operation } from '../operations/operation.ts';
import { closeRecall } from '../operations/recall.ts';
import { value } from '../operations/result.ts';
import { OWN_OPERATIONS } from '../operations/tables/agent-caller.ts';
import { PROCESS_RECALL, recallForAgent, TOKEN_RECALL } from './agent-recall.ts';
import { hostFiles, type HostClient } from './host-files.ts';
import type { OpenRecalls } from './open-recalls.ts';
import { READS, type Tool } from './register-tools.ts';

/** Members that a model is told of; it may send the others, and gets along without. */
const TOLD = { intent: true, files: true, manifest_hint: true, follows: true } as const;

const RECALLING =
  "Get the page of instructions for your next step: by the step (intent) and the files it touches, or by a page's name " +
  '(manifest_hint). If it does not fit, take a name from its list.';

const TOKEN_CLOSING =
  'At the end: the pages of a recall that you used, what you needed and did not get (missed), or that nothing fits.';
const NAMED_CLOSING = 'At the end: names of pages that you used, that you missed, and that came and did not fit.';

/** A process on the machine of its host, and the folder that it runs in; HTTP knows nothing between two calls. */
export interface HostProcess {
  readonly recalls: OpenRecalls;
  readonly folder: string;
  /** Whether a person who looks for a fault asked for the tool that explains a recall. */
  readonly explains: boolean;
}

/** Recalling instructions, and closing a recall: as texts, since some hosts show a model structured content instead. */
export function instructionTools(local: HostProcess | null, host: HostClient): readonly Tool[] {
  const skills = () => skillPlaces(local?.folder ?? '', skillsListedBy(host.getClientVersion()?.name));
  const recall = recallForAgent(local && { recalls: local.recalls, skills });
  const closing = local === null ? OWN_OPERATIONS.closeRecall : namedClosing(local.recalls);
  const cut = local === null ? null : hostFiles(host, local.folder);
  return [
    ...(local?.explains ? [EXPLAINING] : []),
    {
      name: RECALL_TOOL,
      description: RECALLING,
      input: toolOutline((local === null ? TOKEN_RECALL : PROCESS_RECALL).pick(TOLD)),
      annotations: { ...READS, title: 'Recall instructions' },
      isBrief: true,
      answer: async (caller, given) => {
        const { body, outside } = (await cut?.(given)) ?? { body: given, outside: 0 };
        const text = String(await caller.run(recall, { body }));
        return outside > 0 ? `${text}\nFiles outside of your folder were left out: ${outside}.` : text;
      },
    },
    {
      name: CLOSE_TOOL,
      description: local === null ? TOKEN_CLOSING : NAMED_CLOSING,
      input: toolOutline(local === null ? Closing : NamedClosing),
      annotations: {
        ...{ title: 'Close a recall', readOnlyHint: false, destructiveHint: false },
        ...{ idempotentHint: true, openWorldHint: false },
      },
      isBrief: true,
      answer: async (caller, body) => (await caller.run(closing, { body })) ?? 'Closed.',
    },
  ];
}

/** The whole answer of HTTP, with the scores of every unit. */
const EXPLAINING: Tool = {
  name: 'explain_recall',
  description: 'Recall, with the scores of every unit and why it is in the answer or not. For debugging.',
  input: toolOutline(RecallRequest),
  annotations: { ...READS, title: 'Explain a recall' },
  isBrief: true,
  answer: async (caller, body) =>
    JSON.stringify(await caller.run(OWN_OPERATIONS.recallInstruction, { query: { explain: 'true' }, body })),
};

/** Closing by names, where a process knows the tokens. */
function namedClosing(recalls: OpenRecalls) {
  return operation({
    ...OWN_OPERATIONS.closeRecall,
    body: NamedClosing,
    run: async (call, { body }) => {
      const closed = await recalls.close(body, (it) => closeRecall(call, it));
      return value(`Closed: ${closed}.`);
    },
  });
}
