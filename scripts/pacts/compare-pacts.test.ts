import { expect, test } from 'vitest';
import { comparePacts } from './pacts.mjs';

const committed = new Map([
  ['same.json', '{}\n'],
  ['edited.json', '{}'],
  ['orphan.json', '{}\n'],
]);
const generated = new Map([
  ['same.json', '{}\n'],
  ['edited.json', '{}\n'],
  ['new.json', '{}\n'],
]);

test('names every committed pact that no longer is what the tests write', () => {
  expect(comparePacts(committed, generated)).toEqual([
    'contracts/pacts/edited.json is changed',
    'contracts/pacts/new.json is new',
    'contracts/pacts/orphan.json: no test writes it any more',
  ]);
});

test('says nothing about pacts that are the same to the byte', () => {
  expect(comparePacts(generated, generated)).toEqual([]);
});
