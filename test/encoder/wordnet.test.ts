import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readUses, readWordnet } from '../../compiler/encoder/gather/wordnet.ts';
import { tempFolder } from '../support/folder.ts';

/** Lines of WordNet 3.1, as they are. */
const DATA = {
  noun: [
    '02750182 06 n 0a ashcan 0 trash_can 0 garbage_can 0 wastebin 0 ash_bin 0 ash-bin 0 ashbin 0 dustbin 0 trash_barrel 0 trash_bin 0 001 @ 02843139 n 0000 | a bin that holds rubbish until it is collected  ',
    '00003993 03 n 01 congener 0 001 @ 00003553 n 0000 | a whole (a thing or person) of the same kind or category as another; "lard was also used, though its congener, butter, was more frequently employed"; "the American shopkeeper differs from his European congener"  ',
  ],
  verb: [
    '00016373 29 v 01 drowse 0 004 @ 00014398 v 0000 + 00860527 n 0102 ^ 00017275 v 0108 ~ 00016566 v 0000 01 + 02 00 | be on the verge of sleeping; "The students were drowsing in the 8 AM class"  ',
  ],
  adj: [
    '00020141 00 s 02 outback(a) 0 remote 0 003 & 00019912 a 0000 + 05092372 n 0202 + 08522131 n 0101 | inaccessible and sparsely populated  ',
    '00019769 00 s 02 handy 0 ready_to_hand(p) 0 002 & 00019169 a 0000 + 04726275 n 0101 | easy to reach; "found a handy spot for the can opener"  ',
    '02609578 01 a 01 abdominovesical 0 002 \\ 05564576 n 0101 \\ 05519988 n 0101 | of or relating to the abdomen and the urinary bladder  ',
  ],
  adv: [
    '00002029 02 r 03 CE 0 C.E. 0 Common_Era 0 000 | of the period coinciding with the Christian era; preferred by some writers who are not Christians; "in 200 CE"  ',
  ],
};
const SENSES = [
  'ticket%1:07:00:: 04723979 5 0',
  'ticket%1:10:01:: 06530710 1 3',
  'ticket%2:41:00:: 02504365 1 2',
  'ticket_agent%1:18:00:: 10729922 1 4',
  "'hood%1:15:00:: 08659519 1 7",
  'yodel%2:32:00:: 01056554 1 0',
];

function dict(): string {
  const folder = tempFolder();
  const licence = '  1 This software and database is being provided to you, the LICENSEE, by  \n';
  for (const [part, lines] of Object.entries(DATA)) {
    writeFileSync(join(folder, `data.${part}`), `${licence}${lines.join('\n')}\n`);
  }
  writeFileSync(join(folder, 'index.sense'), `${SENSES.join('\n')}\n`);
  return folder;
}

describe('WordNet', () => {
  const synsets = readWordnet(dict());
  const synset = (id: string) => synsets.find((it) => it.id === id);

  test('synsets are read in the order of the files, without the licence', () => {
    expect(synsets.map(({ id }) => id)).toEqual([
      ...['a00020141', 'a00019769', 'a02609578', 'r00002029', 'n02750182', 'n00003993', 'v00016373'],
    ]);
  });

  test('a synset has all its lemmas, with spaces for underscores', () => {
    const { lemmas } = synset('n02750182')!;
    expect(lemmas).toHaveLength(10);
    expect(lemmas.slice(4, 6)).toEqual(['ash bin', 'ash-bin']);
    expect(synset('r00002029')?.lemmas).toEqual(['CE', 'C.E.', 'Common Era']);
  });

  test('a synset has all its relations', () => {
    expect(synset('v00016373')?.relations).toEqual([
      { symbol: '@', target: 'v00014398' },
      { symbol: '+', target: 'n00860527' },
      { symbol: '^', target: 'v00017275' },
      { symbol: '~', target: 'v00016566' },
    ]);
    expect(synset('a02609578')?.relations.map(({ symbol }) => symbol)).toEqual(['\\', '\\']);
    expect(synset('r00002029')?.relations).toEqual([]);
  });

  test('a synset has its definition, and its examples apart', () => {
    expect(synset('n02750182')).toMatchObject({
      definition: 'a bin that holds rubbish until it is collected',
      examples: [],
    });
    expect(synset('n00003993')).toMatchObject({
      definition: 'a whole (a thing or person) of the same kind or category as another',
      examples: [
        'lard was also used, though its congener, butter, was more frequently employed',
        'the American shopkeeper differs from his European congener',
      ],
    });
    const { definition } = synset('r00002029')!;
    expect(definition.split('; ')[1]).toBe('preferred by some writers who are not Christians');
  });
});

test('the uses of a word are three times those of all its senses; multi-word names have none', () => {
  expect([...readUses(dict())]).toEqual([
    ['ticket', 15],
    ['yodel', 0],
  ]);
});
