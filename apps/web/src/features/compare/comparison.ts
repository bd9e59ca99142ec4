// The source and the target of a comparison.

import type { ApiOutputs } from '../../api/client.ts';
import type { Sandbox } from '../../api/sandboxes.ts';
import type { RecordKind } from '../records/record-kind.ts';
import { RECORD_KINDS } from '../records/record-kind.ts';

export type Comparison = {
  source: Sandbox;
  target: Sandbox;
  kind: RecordKind['kind'];
  /** Present when the source is the target itself at this time. */
  at?: string | undefined;
};

export type Entry = ApiOutputs['compare']['list']['entries'][number];

export type Counts = ApiOutputs['compare']['list']['counts'];

export const toPair = ({ source, target, kind }: Comparison) => ({
  sandbox_id: target.sandbox_id,
  source_sandbox_id: source.sandbox_id,
  kind,
});

/** The headings of the three kinds of differences. */
export const nameStatuses = ({ source, target, at }: Comparison): [Entry['status'], string][] =>
  at === undefined
    ? [
        ['only_source', `Only in ${source.name}`],
        ['only_target', `Only in ${target.name}`],
        ['different', 'Different'],
      ]
    : [
        ['only_source', 'Deleted since then'],
        ['only_target', 'New since then'],
        ['different', 'Changed since then'],
      ];

/** "1 Item", "2 Xp tables". */
export const countOf = (kind: Comparison['kind'], count: number): string =>
  `${count.toLocaleString('en')} ${RECORD_KINDS[kind][count === 1 ? 'one' : 'many']}`;
