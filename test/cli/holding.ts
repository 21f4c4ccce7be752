import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { testTrust, type TestTrust } from '../support/compiled.ts';
import { tempFolder } from '../support/folder.ts';
import { agentYaml } from '../support/repository.ts';

/** A folder with sources that name the possible holders of keys: some agents, and `acme/human/jane`. */
export function holding(agents: readonly string[] = ['cto', 'ct'], trust: TestTrust = testTrust()): string {
  const folder = tempFolder();
  const write = (path: string, content: string | Buffer) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  };
  agents.forEach((name, at) => {
    write(`instructions/agents/${name}/agent.yaml`, agentYaml(idOf(at)));
  });
  write('instructions/trust/1.json', trust.root.envelope);
  return folder;
}

/** The id of the n-th agent. */
export function idOf(n: number): string {
  return `8e0ed057-bcd8-4f8f-92ee-c046c55b6${String(n).padStart(3, '0')}`;
}
