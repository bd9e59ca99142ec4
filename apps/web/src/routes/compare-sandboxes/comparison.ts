// The two ends of a comparison, as its parts pass them on.
import type { Sandbox } from '../../access/sandboxes.ts';
import type { ApiOutputs } from '../../api/trpc.ts';

export type Comparison = { source: Sandbox; target: Sandbox; kind: 'item' | 'xp' };

export type Entry = ApiOutputs['compare']['list']['entries'][number];

export type Counts = ApiOutputs['compare']['list']['counts'];

export const KIND_WORDS = {
  item: { one: 'Item', many: 'Items' },
  xp: { one: 'Xp table', many: 'Xp tables' },
} as const;

export const toPair = ({ source, target, kind }: Comparison) => ({
  sandbox_id: target.sandbox_id,
  source_sandbox_id: source.sandbox_id,
  kind,
});
