import { it } from 'vitest';
import { declareHistory, readHistory } from './declare-history.ts';

it('reads the history of the item', async () => {
  await declareHistory('a history of the item', 'item').executeTest(readHistory('item'));
});
