// Ends selected sessions, or all that match the filters of the list, with a list of them, a reason, progress and a
// Cancel button.
import { Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { ApiInputs } from '../../api/client.ts';
import { api, invalidate, trpc } from '../../api/client.ts';
import { notifyDone, notifyError } from '../../api/notify.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { ConfirmDialog, ProgressDialog } from '../../ui/dialogs.tsx';
import { QueryState } from '../../ui/states.tsx';
import { EndingList } from './ending-list.tsx';
import type { NamedSession, SessionRow } from './session-rows.ts';
import { readSessionRowId } from './session-rows.ts';

type Filter = NonNullable<ApiInputs['sessions']['count']>;

/** Small enough for smooth progress and a quick cancellation. */
const PAGE_SIZE = 25;
/** The most sessions that the dialog lists. */
const LISTED = 100;

type EndMatchingProps = { filter: Filter; isFiltered: boolean };

export const EndMatching = ({ filter, isFiltered }: EndMatchingProps) => {
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
      {isOpen && <EndMatchingDialog filter={filter} onClose={dialog.close} />}
    </>
  );
};

const EndMatchingDialog = ({ filter, onClose }: { filter: Filter; onClose: () => void }) => {
  // Sessions that are created while the dialog is open are not ended.
  const [asked] = useState(() => ({
    ...filter,
    created_to: filter.created_to ?? new Date().toISOString(),
  }));
  const count = useQuery(trpc.sessions.count.queryOptions(asked));
  const list = useQuery(trpc.sessions.list.queryOptions({ ...asked, page_size: LISTED }));
  const total = count.data?.count;
  const number = total === undefined ? '…' : total.toLocaleString('en');
  const many = count.data?.is_exact === false ? `more than ${number}` : number;
  return (
    <EndDialog
      title={total === 1 ? 'End 1 session?' : `End ${many} sessions?`}
      total={total}
      endPage={(cursor, reason) => {
        const input = { ...asked, ended: undefined, page_size: PAGE_SIZE, cursor, reason };
        return api.sessions.endMatching.mutate(input);
      }}
      onClose={onClose}
    >
      <p>
        The running sessions that match the filters of the list are ended, one after the other.
        Their players lose their seats. This cannot be undone.
      </p>
      <QueryState query={list}>
        {({ sessions }) => (
          <EndingList
            names={sessions.map(({ session }) => session)}
            known={sessions}
            total={total}
          />
        )}
      </QueryState>
    </EndDialog>
  );
};

type EndSelectedProps = {
  ids: readonly string[];
  /** The loaded rows. */
  known: readonly SessionRow[];
  onDone: () => void;
};

export const EndSelected = ({ ids, known, onDone }: EndSelectedProps) => {
  const [isOpen, dialog] = useDisclosure(false);
  const names = ids.map(readSessionRowId).filter((name) => name !== undefined);
  return (
    <>
      <ActionButton
        variant="default"
        color="red"
        anyOf={['session:*']}
        reason={names.length === 0 && 'No session is selected.'}
        onClick={dialog.open}
      >
        End …
      </ActionButton>
      {isOpen && (
        <EndSelectedDialog names={names} known={known} onDone={onDone} onClose={dialog.close} />
      )}
    </>
  );
};

type EndSelectedDialogProps = Omit<EndSelectedProps, 'ids'> & {
  names: readonly NamedSession[];
  onClose: () => void;
};

const EndSelectedDialog = ({ names, known, onDone, onClose }: EndSelectedDialogProps) => {
  // The list changes while sessions end.
  const [asked] = useState({ names, known });
  return (
    <EndDialog
      title={asked.names.length === 1 ? 'End 1 session?' : `End ${asked.names.length} sessions?`}
      total={asked.names.length}
      endPage={(cursor = '0', reason) => endPart(asked.names, Number(cursor), reason)}
      onClose={onClose}
      onDone={onDone}
    >
      <p>
        The selected sessions are ended, one after the other. Their players lose their seats. This
        cannot be undone.
      </p>
      <EndingList {...asked} total={asked.names.length} />
    </EndDialog>
  );
};

type EndedPage = { ended: number; skipped: number; page_meta: { cursor?: string | undefined } };

/** The cursor is the number of sessions that were ended before. */
const endPart = async (
  names: readonly NamedSession[],
  start: number,
  reason: string,
): Promise<EndedPage> => {
  const part = names.slice(start, start + PAGE_SIZE);
  for (const { type, session_id } of part) {
    await api.sessions.end.mutate({ type, session_id, reason });
  }
  const next = start + part.length;
  return {
    ended: part.length,
    skipped: 0,
    page_meta: next < names.length ? { cursor: String(next) } : {},
  };
};

type EndDialogProps = {
  title: string;
  total: number | undefined;
  /** Ends some sessions, and returns the cursor of the next ones. */
  endPage: (cursor: string | undefined, reason: string) => Promise<EndedPage>;
  onClose: () => void;
  onDone?: () => void;
  children: React.ReactNode;
};

const EndDialog = ({ title, total, endPage, onClose, onDone, children }: EndDialogProps) => {
  const [reason, setReason] = useState('');
  const { progress, end, stop } = useEnding(endPage);
  if (progress) {
    return <ProgressDialog opened title="Ending sessions" {...progress} onCancel={stop} />;
  }
  return (
    <ConfirmDialog
      onClose={onClose}
      title={title}
      action="End sessions"
      isDestructive
      isDisabled={reason.trim() === ''}
      onConfirm={() => end(total, reason.trim())}
      onDone={() => {
        onDone?.();
        onClose();
      }}
    >
      <Stack gap="sm">
        {children}
        <TextInput
          label="Reason"
          description="For the audit trail."
          required
          maxLength={1000}
          value={reason}
          data-autofocus
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      </Stack>
    </ConfirmDialog>
  );
};

type Progress = { done: number; total?: number };

const useEnding = (endPage: EndDialogProps['endPage']) => {
  const [progress, setProgress] = useState<Progress | null>(null);
  const isStopped = useRef(false);

  const end = async (total: number | undefined, reason: string): Promise<void> => {
    let [ended, skipped] = [0, 0];
    let cursor: string | undefined;
    try {
      do {
        setProgress({ done: ended, total });
        const page = await endPage(cursor, reason);
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
