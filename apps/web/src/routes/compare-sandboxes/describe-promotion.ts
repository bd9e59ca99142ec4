import type { ApiOutputs } from '../../api/trpc.ts';
import type { Comparison } from './comparison.ts';
import { KIND_WORDS } from './comparison.ts';

type Answer = Pick<ApiOutputs['compare']['promote'], 'operations'>;

const WORDS = [
  ['insert', 'created'],
  ['restore', 'brought back'],
  ['update', 'changed'],
  ['delete', 'deleted'],
] as const;

/** "1 Item created, 2 changed". */
export const describePromotion = ({ operations }: Answer, { kind }: Comparison): string => {
  const parts = WORDS.flatMap(([operation, words]) => {
    const count = operations.filter((each) => each.operation === operation).length;
    return count === 0 ? [] : [{ count, words }];
  });
  const [first, ...others] = parts;
  if (!first) return 'nothing, both are the same already';
  const what = KIND_WORDS[kind][first.count === 1 ? 'one' : 'many'];
  const rest = others.map(({ count, words }) => `, ${count.toLocaleString('en')} ${words}`);
  return `${first.count.toLocaleString('en')} ${what} ${first.words}${rest.join('')}`;
};
