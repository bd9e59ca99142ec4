// The two ends of a comparison, as its parts pass them on.

import type { ApiOutputs } from '../../api/client.ts';
import type { Sandbox } from '../../api/sandboxes.ts';

export type Comparison = { source: Sandbox; target: Sandbox; kind: 'item' | 'xp' };

export type Entry = ApiOutputs['compare']['list']['entries'][number];

export type Counts = ApiOutputs['compare']['list']['counts'];

export const KIND_LABELS = {
  item: { one: 'Item', many: 'Items' },
  xp: { one: 'Xp table', many: 'Xp tables' },
} as const;

export const toPair = ({ source, target, kind }: Comparison) => ({
  sandbox_id: target.sandbox_id,
  source_sandbox_id: source.sandbox_id,
  kind,
});

type Answer = Pick<ApiOutputs['compare']['promote'], 'operations'>;

const LABELS = [
  ['insert', 'created'],
  ['restore', 'brought back'],
  ['update', 'changed'],
  ['delete', 'deleted'],
] as const;

/** "1 Item created, 2 changed". */
export const describePromotion = ({ operations }: Answer, { kind }: Comparison): string => {
  const parts = LABELS.flatMap(([operation, words]) => {
    const count = operations.filter((each) => each.operation === operation).length;
    return count === 0 ? [] : [{ count, words }];
  });
  const [first, ...others] = parts;
  if (!first) return 'nothing, both are the same already';
  const what = KIND_LABELS[kind][first.count === 1 ? 'one' : 'many'];
  const rest = others.map(({ count, words }) => `, ${count.toLocaleString('en')} ${words}`);
  return `${first.count.toLocaleString('en')} ${what} ${first.words}${rest.join('')}`;
};
