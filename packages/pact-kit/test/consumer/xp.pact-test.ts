import { it } from 'vitest';
import { declareHistory, readHistory } from './declare-history.ts';

it('reads the history of the xp', async () => {
  await declareHistory('a history of the xp', 'xp').executeTest(readHistory('xp'));
});
