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

type Operations = ApiOutputs['compare']['promote']['operations'];

export type DanglingReference = ApiOutputs['compare']['promote']['dangling_references'][number];

const LABELS = [
  ['insert', 'created'],
  ['restore', 'restored'],
  ['update', 'changed'],
  ['delete', 'deleted'],
] as const;

/** "1 Item created, 2 changed", then the records that are promoted with them: " and 1 Xp table created". */
export const describePromotion = (
  { operations }: { operations: Operations },
  { kind }: Comparison,
): string => {
  const others = kind === 'item' ? ('xp' as const) : ('item' as const);
  const parts = [kind, others].flatMap((each) => describeKind(operations, each) ?? []);
  return parts.length > 0 ? parts.join(' and ') : 'nothing, both are the same already';
};

const describeKind = (all: Operations, kind: Comparison['kind']): string | undefined => {
  const operations = all.filter((each) => each.kind === kind);
  const parts = LABELS.flatMap(([operation, words]) => {
    const count = operations.filter((each) => each.operation === operation).length;
    return count === 0 ? [] : [{ count, words }];
  });
  const [first, ...others] = parts;
  if (!first) return undefined;
  const rest = others.map(({ count, words }) => `, ${count.toLocaleString('en')} ${words}`);
  return `${countOf(kind, first.count)} ${first.words}${rest.join('')}`;
};

/** Why a record that the source does not have cannot be promoted. */
export const describeOnlyIn = (target: string): string => `Only in ${target}; nothing to promote.`;

/** "1 Item", "2 Xp tables". */
export const countOf = (kind: Comparison['kind'], count: number): string =>
  `${count.toLocaleString('en')} ${RECORD_KINDS[kind][count === 1 ? 'one' : 'many']}`;

export type ReferenceChoice = {
  /** Include the referenced records that can be promoted. */
  includesReferenced: boolean;
  /** The key of the references that the user accepted as dangling. Other references must be accepted again. */
  accepted: string;
};

/** `key` identifies this set of dangling references in `ReferenceChoice.accepted`. */
export const decideReferences = (
  references: readonly DanglingReference[],
  { includesReferenced, accepted }: ReferenceChoice,
) => {
  const left = references.filter(({ can_include }) => !(includesReferenced && can_include));
  const key = left
    .map(({ xp_id, items }) => [xp_id, ...items.map(({ item_id }) => item_id)])
    .join();
  const isAccepted = left.length > 0 && accepted === key;
  return { left, key, isAccepted, isUndecided: left.length > 0 && !isAccepted };
};
