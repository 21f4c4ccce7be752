import { unitFile } from '../../support/unit-files.ts';
import type { Row } from './row.ts';

const words = (count: number, word = 'rule') => Array.from({ length: count }, () => word).join(' ');
const preloaded = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, i) => [
      `agents/cto/unit-${i}.md`,
      unitFile(`What to do in case ${i}`, [], 'required_by_task_types: [manual]\n'),
    ]),
  );

/** Files that fit as text and not as tokens. */
export const BUDGETS: readonly Row[] = [
  {
    title: 'a boot.md that takes the stub above 450 tokens',
    file: 'agents/cto/boot.md',
    written: `${words(260)}\n`,
    rule: 'boot_stub_large',
    line: 1,
    column: 1,
  },
  {
    title: 'a boot.md that takes the stub above 500 tokens',
    file: 'agents/cto/boot.md',
    written: `${words(400)}\n`,
    rule: 'boot_stub_too_large',
    line: 1,
    column: 1,
  },
  {
    title: 'more preloaded units than the manifest can hold',
    file: 'agents/cto/agent.yaml',
    written: null,
    besides: preloaded(60),
    rule: 'manifest_too_large',
    line: 1,
    column: 1,
  },
];
