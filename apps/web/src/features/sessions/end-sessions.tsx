// Ends selected sessions, or all that match the filters of the list, with a list of them, a reason, progress and a
// Cancel button.
import { Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiInputs } from '../../api/client.ts';
import { api } from '../../api/client.ts';
import { toApiError } from '../../api/errors.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { ConfirmDialog, ProgressDialog } from '../../ui/dialogs.tsx';
import { FormError } from '../../ui/forms.tsx';
import { QueryState } from '../../ui/states.tsx';
import { EndingList } from './ending-list.tsx';
import { findSelected } from './find-selected.ts';
import type { FoundSession, SessionRow } from './session-rows.ts';
import { toFound } from './session-rows.ts';
import type { EndedPage, EndPage } from './use-ending.ts';
import { CHANGED, countSessions, useEnding } from './use-ending.ts';

type Filter = NonNullable<ApiInputs['sessions']['count']>;

/** Small enough for smooth progress and a quick cancellation. */
const PAGE_SIZE = 25;
/** The most sessions that the dialog lists. */
const LISTED = 100;
const READ_ONCE = { staleTime: Number.POSITIVE_INFINITY, gcTime: 0 };

type EndMatchingProps = {
  filter: Filter;
  isFiltered: boolean;
  /** True if no session matches. */
  isEmpty: boolean;
};

export const EndMatching = ({ filter, isFiltered, isEmpty }: EndMatchingProps) => {
  const [isOpen, dialog] = useDisclosure(false);
  const reason =
    (!isFiltered &&
      'Filter the list first: the sessions that it then shows can be ended together.') ||
    (filter.ended === true && 'The sessions in this list have ended already.') ||
    (isEmpty && 'No session matches the filters.');
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
  const [opened] = useState(() => new Date());
  // Sessions that are created while the dialog is open are not ended.
  const asked = { ...filter, created_to: filter.created_to ?? opened.toISOString() };
  const listed = { ...asked, page_size: LISTED };
  // Not refetched: the dialog shows what it ends.
  const count = useQuery({
    queryKey: ['matching-sessions', 'count', asked],
    queryFn: () => api.sessions.count.query(asked),
    ...READ_ONCE,
  });
  const list = useQuery({
    queryKey: ['matching-sessions', 'list', listed],
    queryFn: () => api.sessions.list.query(listed),
    ...READ_ONCE,
  });
  // A count that is not exact may be 0 although sessions match.
  const total = count.data?.is_exact === false ? count.data.count || undefined : count.data?.count;
  const number = total === undefined ? '…' : total.toLocaleString('en');
  const many = count.data?.is_exact === false ? `more than ${number}` : number;
  const endPage: EndPage = async (cursor, reason) => {
    const input = {
      ...asked,
      ended: undefined,
      idle_seconds: lengthen(asked.idle_seconds, opened),
      page_size: PAGE_SIZE,
      cursor,
      reason,
    };
    const { ended, skipped, page_meta } = await api.sessions.endMatching.mutate(input);
    const reasons = Array(skipped).fill({ why: 'changed or too busy' });
    return { ended, skipped: reasons, cursor: page_meta.cursor };
  };
  return (
    <EndDialog
      title={total === 1 ? 'End 1 session?' : `End ${many} sessions?`}
      total={total}
      isListed={list.isSuccess}
      endPage={endPage}
      onClose={onClose}
    >
      <p>
        The running sessions that match the filters of the list are ended one by one. Their players
        lose their seats. This cannot be undone.
      </p>
      <QueryState query={list}>
        {({ sessions }) => <EndingList sessions={sessions.map(toFound)} total={total} />}
      </QueryState>
    </EndDialog>
  );
};

/** Sessions that become idle while the dialog is open are not ended either. */
const lengthen = (idleSeconds: number | undefined, opened: Date): number | undefined =>
  idleSeconds && idleSeconds + Math.max(0, Math.ceil((Date.now() - opened.getTime()) / 1000));

type EndSelectedProps = {
  ids: readonly string[];
  /** The loaded rows. */
  known: readonly SessionRow[];
  onDone: () => void;
};

export const EndSelected = (props: EndSelectedProps) => {
  const [isOpen, dialog] = useDisclosure(false);
  return (
    <>
      <ActionButton
        variant="default"
        color="red"
        anyOf={['session:*']}
        reason={props.ids.length === 0 && 'No session is selected.'}
        onClick={dialog.open}
      >
        End …
      </ActionButton>
      {isOpen && <EndSelectedDialog {...props} onClose={dialog.close} />}
    </>
  );
};

type EndSelectedDialogProps = EndSelectedProps & { onClose: () => void };

const EndSelectedDialog = ({ ids, known, onDone, onClose }: EndSelectedDialogProps) => {
  // The list changes while the dialog is open.
  const [asked] = useState({ ids, known });
  const found = useQuery({
    queryKey: ['selected-sessions', asked.ids],
    queryFn: () => findSelected(asked.ids, asked.known),
    ...READ_ONCE,
  });
  const gone = found.data ? asked.ids.length - found.data.length : 0;
  const total = found.data?.length;
  return (
    <EndDialog
      title={total === 1 ? 'End 1 session?' : `End ${total?.toLocaleString('en') ?? '…'} sessions?`}
      total={total}
      isListed={found.isSuccess}
      endPage={(cursor = '0', reason) => endOne(found.data ?? [], Number(cursor), reason)}
      onClose={onClose}
      onDone={onDone}
    >
      <p>
        The selected sessions are ended one by one. Their players lose their seats. This cannot be
        undone. A session that changes before its turn is left alone.
      </p>
      <QueryState query={found}>
        {(sessions) => (
          <>
            {gone > 0 && (
              <p>
                {gone} of the selected sessions {gone === 1 ? 'no longer runs' : 'no longer run'}.
              </p>
            )}
            <EndingList sessions={sessions} total={total} />
          </>
        )}
      </QueryState>
    </EndDialog>
  );
};

const ALREADY_ENDED = 'had already ended';

/** Why a session is left alone, by the error code. Any other error ends the operation. */
const SKIPPED: Partial<Record<string, string>> = {
  session_etag_mismatch: CHANGED,
  session_not_found: ALREADY_ENDED,
  session_busy: 'too busy',
};

/** The cursor is the number of the session. */
const endOne = async (
  sessions: readonly FoundSession[],
  at: number,
  reason: string,
): Promise<EndedPage> => {
  const cursor = at + 1 < sessions.length ? String(at + 1) : undefined;
  const session = sessions[at];
  if (!session) return { ended: 0, skipped: [], cursor };
  const { type, session_id, etag } = session;
  const input = { type, session_id, expected_etag: etag, reason };
  const name = `${type} ${session_id}`;
  try {
    const { ended } = await api.sessions.end.mutate(input);
    return ended === undefined
      ? { ended: 1, skipped: [], cursor }
      : { ended: 0, skipped: [{ why: ALREADY_ENDED, name }], cursor };
  } catch (error) {
    const why = SKIPPED[toApiError(error).code];
    if (why === undefined) throw error;
    return { ended: 0, skipped: [{ why, name }], cursor };
  }
};

type EndDialogProps = {
  title: string;
  total: number | undefined;
  /** Nothing can be ended before the dialog shows it. */
  isListed: boolean;
  endPage: EndPage;
  onClose: () => void;
  /** Not called if the user cancels. */
  onDone?: () => void;
  children: React.ReactNode;
};

const EndDialog = (props: EndDialogProps) => {
  const { title, total, isListed, endPage, onClose, onDone, children } = props;
  const [reason, setReason] = useState('');
  const { progress, failure, end, stop } = useEnding(endPage);
  if (progress !== null) {
    return (
      <ProgressDialog
        opened
        title="Ending sessions"
        done={progress}
        total={total}
        onCancel={stop}
      />
    );
  }
  return (
    <ConfirmDialog
      onClose={onClose}
      title={title}
      action="End sessions"
      isDestructive
      isDisabled={reason.trim() === '' || !isListed || total === 0}
      onConfirm={() => end(reason.trim())}
      onDone={(isComplete) => {
        if (isComplete) onDone?.();
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
        {failure && (
          <>
            <FormError error={failure.error} fields={[]} />
            <p>
              Before this, at least {countSessions(failure.ended)} ended. “End sessions” continues
              with the others.
            </p>
          </>
        )}
      </Stack>
    </ConfirmDialog>
  );
};
