import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { expectProblem } from '../checks.ts';
import type { Kind } from '../fixtures/catalogue.ts';
import { editRecord, KINDS, newRecord, newSandbox } from '../fixtures/catalogue.ts';
import { namesOf, readHistory, tryHistory } from '../fixtures/histories.ts';
import { ASTRAL } from '../fixtures/joins.ts';
import type { Prove } from '../target/context.ts';
import { inSection } from '../target/context.ts';

/** Names in the sandbox, the filter, and the names that it leaves. */
const MATCHES: readonly (readonly [string, readonly string[], string, readonly string[]])[] = [
  ['contains: at the start', ['Iron sword', 'Bow'], 'Iron', ['Iron sword']],
  ['contains: in the middle', ['Iron sword', 'Bow'], 'n sw', ['Iron sword']],
  ['contains: at the end', ['Iron sword', 'Bow'], 'word', ['Iron sword']],
  ['contains: the whole name', ['Iron sword', 'Bow'], 'Iron sword', ['Iron sword']],
  ['contains: one character', ['Iron sword', 'Bow'], 'B', ['Bow']],
  ['no match is an empty list', ['Iron sword', 'Bow'], 'axe', []],
  ['no case in the filter', ['Iron sword', 'Bow'], 'IRON', ['Iron sword']],
  ['no case in the name', ['IRON SWORD', 'Bow'], 'iron', ['IRON SWORD']],
  ['no case beyond ASCII', ['ÄÖÜ', 'aou'], 'äöü', ['ÄÖÜ']],
  ['no case in Greek', ['ΑΒΓ', 'abc'], 'αβγ', ['ΑΒΓ']],
  ['no case in Cyrillic', ['Меч', 'мяч'], 'МЕЧ', ['Меч']],
  ['no case beyond the basic plane', ['𐐀𐐁', 'x'], '𐐨𐐩', ['𐐀𐐁']],
  ['accents count', ['Cafe', 'Café'], 'café', ['Café']],
  ['ß is found as written', ['Straße', 'Strand'], 'straße', ['Straße']],
  ['the Turkish dotted I is found as written', ['İzmir', 'Ankara'], 'İzm', ['İzmir']],
  ['the Turkish dotless i is found as written', ['ılık', 'Ankara'], 'ılı', ['ılık']],
  ['% is literal', ['100% wool', '100 wool'], '0% w', ['100% wool']],
  ['a lone % matches only names that contain it', ['a%', 'b'], '%', ['a%']],
  ['_ is literal', ['a_b', 'axb'], 'a_b', ['a_b']],
  ['a lone _ matches only names that contain it', ['a_', 'b'], '_', ['a_']],
  ['\\ is literal', ['a\\b', 'ab'], '\\', ['a\\b']],
  ['\\% is literal', ['a\\%b', 'a%b'], '\\%', ['a\\%b']],
  ["' and ; are literal", ["'; DROP", 'x'], "';", ["'; DROP"]],
  ['* ? [ ] ^ $ . are literal', ['[a]*?^$.', 'a'], '[a]*?^$.', ['[a]*?^$.']],
  // Filters of some length may be answered by another index than short ones.
  [
    '% is literal in a long filter',
    ['wool 100% pure', 'wool 100 % x pure'],
    '100% pure',
    ['wool 100% pure'],
  ],
  ['_ is literal in a long filter', ['iron_sword', 'iron-sword'], 'iron_swo', ['iron_sword']],
  ['\\ is literal in a long filter', ['iron\\sword', 'ironsword'], 'iron\\swo', ['iron\\sword']],
  ['\\ at the end of a long filter is literal', ['iron\\', 'iron%'], 'iron\\', ['iron\\']],
  [
    'a long filter finds no case beyond ASCII',
    ['GRÜNER ÄPFELKUCHEN', 'x'],
    'äpfelk',
    ['GRÜNER ÄPFELKUCHEN'],
  ],
  [
    'a filter of many words',
    ['The quick brown fox jumps', 'fox'],
    'QUICK brown FOX',
    ['The quick brown fox jumps'],
  ],
  ['spaces count', ['a  b', 'a b'], 'a  b', ['a  b']],
  ['a comma does not split a name', ['a,b', 'a', 'b'], 'a,b', ['a,b']],
  ['an empty name filters nothing', ['Iron sword', 'Bow'], '', ['Iron sword', 'Bow']],
  ['characters beyond the basic plane', [`x${ASTRAL}y`, 'xy'], ASTRAL, [`x${ASTRAL}y`]],
];

const everyKind = (kind: Kind, prove: Prove) => [
  ...MATCHES.map(([title, names, name, expected]) =>
    prove(title, async (context) => {
      const sandboxId = await newSandbox(context);
      for (const recordName of names) {
        await newRecord(context, kind, sandboxId, { name: recordName });
      }
      const page = await readHistory(context, { kind, sandboxId }, { name, sort_order: 'asc' });
      assert.deepEqual(namesOf(page), expected);
      assert.equal(page.page_meta.total, expected.length);
    }),
  ),
  prove(
    'every name that the record has ever had matches, for all of its versions',
    async (context) => {
      const sandboxId = await newSandbox(context);
      const record = await newRecord(context, kind, sandboxId, { name: 'Alpha' });
      const renamed = await editRecord(context, record, 'update', { name: 'Beta' });
      await editRecord(context, renamed, 'update', { name: 'Gamma' });
      await newRecord(context, kind, sandboxId, { name: 'Delta' });
      for (const name of ['alpha', 'beta', 'gamma']) {
        const query = { name, sort_order: 'asc' };
        const page = await readHistory(context, { kind, sandboxId }, query);
        assert.deepEqual(namesOf(page), ['Alpha', 'Beta', 'Gamma'], name);
        assert.equal(page.page_meta.total, 3);
      }
    },
  ),
  prove('a record that matches by several names is listed once', async (context) => {
    const sandboxId = await newSandbox(context);
    const record = await newRecord(context, kind, sandboxId, { name: 'Sword I' });
    await editRecord(context, record, 'update', { name: 'Sword II' });
    const page = await readHistory(context, { kind, sandboxId }, { name: 'sword' });
    assert.deepEqual(namesOf(page), ['Sword II', 'Sword I']);
    assert.equal(page.page_meta.total, 2);
  }),
  prove('the names of a deleted record still match', async (context) => {
    const sandboxId = await newSandbox(context);
    const record = await newRecord(context, kind, sandboxId, { name: 'Doomed' });
    await editRecord(context, record, 'delete');
    const page = await readHistory(context, { kind, sandboxId }, { name: 'doom' });
    assert.equal(page.transactions.length, 2);
  }),
  prove('odd letters never make a server error', async (context) => {
    const history = { kind, sandboxId: await newSandbox(context) };
    await newRecord(context, kind, history.sandboxId, { name: 'İIıi ß ẞ ﬁ ς Σ ŉ ǰ' });
    for (const name of ['İ', 'I', 'ı', 'i̇', 'SS', 'ẞ', 'ﬁ', 'Σ', 'ŉ', '\u{10ffff}', '\u0001']) {
      const answer = await tryHistory(context, history, { name });
      assert.equal(answer.status, 200, `${name}: ${answer.text}`);
    }
  }),
  prove('given twice is a 422', async (context) => {
    const history = { kind, sandboxId: randomUUID() };
    expectProblem(await tryHistory(context, history, { name: ['a', 'a'] }), 'query.name');
  }),
];

export const historyNameCases = KINDS.flatMap((kind) =>
  everyKind(kind, inSection('History: filter by name', `${kind.name} name`)),
);
