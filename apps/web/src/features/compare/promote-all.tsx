// Promotes all differences that match the filter, without a selection.
import { useMutation } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { useUrlChange, writeList } from '../../ui/url-state.tsx';
import type { Comparison, Counts, Entry } from './comparison.ts';
import { toPair } from './comparison.ts';

type PromoteAllProps = {
  comparison: Comparison;
  counts: Counts | undefined;
  /** Only these differences. */
  status: Entry['status'] | undefined;
};

/** Ids of more records do not fit into a URL that a service accepts. */
const MAX_RECORDS = 500;
const PAGE_SIZE = 200;

/** Opens the preview for every record that the source has. Records of the target only cannot be promoted. */
export const PromoteAllButton = ({ comparison, counts, status }: PromoteAllProps) => {
  const change = useUrlChange();
  const reading = useMutation({
    mutationFn: () => readIds(comparison, status),
    onSuccess: (ids) =>
      change(
        { sel: writeList(ids), step: 'promote', sort: undefined, cols: undefined },
        { push: true },
      ),
  });
  if (!counts || status === 'only_target') return null;
  const count = status ? counts[status] : counts.only_source + counts.different;
  if (count === 0) return null;
  return (
    <ActionButton
      variant="default"
      loading={reading.isPending}
      reason={count > MAX_RECORDS && `Up to ${MAX_RECORDS} records can be promoted at once.`}
      onClick={() => reading.mutate()}
    >
      Promote all {count.toLocaleString('en')} …
    </ActionButton>
  );
};

const readIds = async (
  comparison: Comparison,
  status: Entry['status'] | undefined,
): Promise<string[]> => {
  const input = { ...toPair(comparison), status, page_size: PAGE_SIZE };
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const { entries, page_meta } = await api.compare.list.query({ ...input, cursor });
    const promotable = entries.filter((entry) => entry.status !== 'only_target');
    ids.push(...promotable.map(({ record_id }) => record_id));
    cursor = page_meta.cursor;
  } while (cursor !== undefined && ids.length < MAX_RECORDS);
  return ids;
};
