import { CloseButton, Group } from '@mantine/core';
import { CopyableId } from '../../components/ids/copyable-id.tsx';
import { useUrlChange, useUrlValues } from '../../components/url/url-state.ts';

/** Set by a link from one change to all that were made with it; here it can only be taken away. */
export const TransactionFilter = () => {
  const { transaction_id } = useUrlValues();
  const change = useUrlChange();
  if (typeof transaction_id !== 'string') return null;
  return (
    <Group gap={4} h={30}>
      Changes of one edit <CopyableId id={transaction_id} label="transaction id" short />
      <CloseButton
        size="sm"
        aria-label="Show the changes of all edits"
        onClick={() => change({ transaction_id: undefined })}
      />
    </Group>
  );
};
