import { expect, test } from 'vitest';
import { describeAction } from './audit-labels.ts';

test.each([
  ['items.update', 'Changed an Item'],
  ['xp.restore', 'Restored an Xp table'],
  ['sessions.end', 'Ended a session'],
  ['items.bulk', 'Changed several Items'],
  ['auth.signIn', 'Signed in'],
  ['something.new', 'something.new'],
])('%s is "%s"', (action, words) => {
  expect(describeAction(action)).toBe(words);
});
