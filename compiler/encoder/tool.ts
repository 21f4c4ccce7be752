import { exportModel } from './export.ts';
import { gather } from './gather/gather.ts';
import { writeLexicon } from './gather/lexicon.ts';

/** Runs one step: `gather` and `export`, which `build.mjs` needs, or `lexicon`; the arguments are its folders. */
const [, , step, ...folders] = process.argv;
const [first = '', second = '', third = '', fourth = ''] = folders;
if (step === 'gather') gather(first, second, third, fourth);
else if (step === 'export') exportModel(first, second, Number(third));
else if (step === 'lexicon') writeLexicon(first, second, third);
else
  throw new TypeError(
    'usage: tool.js gather MODULES DOMAIN TEACHER OUT | export WORK OUT DIMS | lexicon MODULES DOMAIN FILE',
  );
