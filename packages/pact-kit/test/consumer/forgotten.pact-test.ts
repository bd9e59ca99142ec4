import { it } from 'vitest';
import { declareHistory } from './declare-history.ts';

it('declares an interaction and forgets to run it', () => {
  declareHistory('a forgotten history', 'item');
});
