// Ends all sessions that match the filters of the list, in batches, with progress and a Cancel button.
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { ApiInputs } from '../../api/client.ts';
import { api, invalidate, trpc } from '../../api/client.ts';
import { notifyDone, notifyError } from '../../api/notify.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { ConfirmDialog, ProgressDialog } from '../../ui/dialogs.tsx';

type Filter = NonNullable<ApiInputs['sessions']['count']>;

type EndSessionsProps = { filter: Filter; isFiltered: boolean };

/** Small enough for smooth progress and a quick cancellation. */
const PAGE_SIZE = 25;

export const EndSessions = ({ filter, isFiltered }: EndSessionsProps) => {
  const [isOpen, dialog] = useDisclosure(false);
  const reason =
    (!isFiltered &&
      'Filter the list first: the sessions that it then shows can be ended together.') ||
    (filter.ended === true && 'The sessions in this list have ended already.');
  return (
    <>
      <ActionButton
        variant="default"
        color="red"
        anyOf={['session:*']}
        reason={reason}
        onClick={dialog.open}
      >
        End all …
      </ActionButton>
      {isOpen && <EndDialog filter={filter} onClose={dialog.close} />}
    </>
  );
};

const EndDialog = ({ filter, onClose }: { filter: Filter; onClose: () => void }) => {
  // Sessions that are created while the dialog is open are not ended.
  const [asked] = useState(() => ({
    ...filter,
    created_to: filter.created_to ?? new Date().toISOString(),
  }));
  const count = useQuery(trpc.sessions.count.queryOptions(asked));
  const { progress, end, stop } = useEnding(asked);
  const total = count.data?.count;
  if (progress) {
    return <ProgressDialog opened title="Ending sessions" {...progress} onCancel={stop} />;
  }
  const number = total === undefined ? '…' : total.toLocaleString('en');
  const many = count.data?.is_exact === false ? `more than ${number}` : number;
  return (
    <ConfirmDialog
      onClose={onClose}
      title={total === 1 ? 'End 1 session?' : `End ${many} sessions?`}
      action="End sessions"
      isDestructive
      onConfirm={() => end(total)}
      onDone={onClose}
    >
      The running sessions that match the filters of the list are ended, one after the other. Their
      players lose their seats. This cannot be undone.
    </ConfirmDialog>
  );
};

type Progress = { done: number; total?: number };

const useEnding = (filter: Filter) => {
  const [progress, setProgress] = useState<Progress | null>(null);
  const isStopped = useRef(false);

  const end = async (total: number | undefined): Promise<void> => {
    let [ended, skipped] = [0, 0];
    let cursor: string | undefined;
    try {
      do {
        setProgress({ done: ended, total });
        const input = { ...filter, ended: undefined, page_size: PAGE_SIZE, cursor };
        const page = await api.sessions.endMatching.mutate(input);
        ended += page.ended;
        skipped += page.skipped;
        cursor = page.page_meta.cursor;
      } while (cursor && !isStopped.current);
      const left = skipped > 0 ? ` ${skipped} had changed and were left alone.` : '';
      notifyDone(`${ended} ${ended === 1 ? 'session' : 'sessions'} ended.${left}`);
    } catch (error) {
      notifyError(error, `${ended} ${ended === 1 ? 'session' : 'sessions'} ended, then it failed`);
    } finally {
      setProgress(null);
      void invalidate([trpc.sessions.pathKey()]);
    }
  };
  return {
    progress,
    end,
    stop: () => {
      isStopped.current = true;
    },
  };
};
