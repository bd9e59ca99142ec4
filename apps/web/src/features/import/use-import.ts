// Check, look, apply: what is applied is what was checked, to the byte.

import { useInfiniteQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { api, invalidate } from '../../api/client.ts';
import { ApiFailure, toApiError } from '../../api/errors.ts';
import { useMe } from '../../api/me.ts';
import type { Rows } from '../../ui/table/rows.ts';
import { toRows } from '../../ui/table/rows.ts';
import { useUrlValues } from '../../ui/url-state.tsx';
import type { Approval } from '../planned-changes/approval-form.tsx';
import type { PlannedChange } from '../planned-changes/planned-list.tsx';
import { identifyChange } from '../planned-changes/planned-list.tsx';
import { CATALOGUE_KEYS } from '../records/record-queries.ts';
import type { FileRequest, ImportAnswer, ImportFormat, ImportKind } from './import-file.ts';
import { countChanges, FORMATS, recogniseFormat, sendFile } from './import-file.ts';

/** Sending can be cancelled. Once the service has all of a file that it applies, it finishes, and says so. */
export type Work = { step: 'check' | 'apply'; sent: number; total: number };

export type Checked = { request: FileRequest; answer: ImportAnswer };

type State = {
  work: Work | null;
  checked: Checked | null;
  applied: ImportAnswer | null;
  error: unknown;
  /** The last work came to its end, with an answer to look at. */
  isDone: boolean;
  /** Applying was cancelled. */
  isCancelled: boolean;
  /** Whether the service has applied the file, where its answer is not known. Absent: it has not. */
  doubt?: 'asking' | 'unknown' | undefined;
};

const NOTHING: State = {
  work: null,
  checked: null,
  applied: null,
  error: null,
  isDone: false,
  isCancelled: false,
};

export type Import = ReturnType<typeof useImport>;

export const useImport = (sandbox: string, source: Source) => {
  const { account_id } = useMe();
  const [state, setState] = useState(NOTHING);
  const controller = useRef<AbortController | null>(null);
  /** What `state.work` will be with the next render: a click and the end of the upload may come before it. */
  const latestWork = useRef<Work | null>(null);

  const showWork = (work: Work | null) => {
    latestWork.current = work;
    setState((old) => ({ ...old, work }));
  };

  const send = (step: Work['step'], request: FileRequest, signal: AbortSignal) => {
    const total = request.bytes.size;
    const onSent = (sent: number) => showWork({ step, sent: Math.min(sent, total), total });
    onSent(0);
    return sendFile(request, { signal, onSent });
  };

  /** One at a time; an error or a cancellation leaves everything as it was. */
  const run = async (
    step: Work['step'],
    task: (signal: AbortSignal) => Promise<Partial<State>>,
  ) => {
    controller.current?.abort();
    const own = new AbortController();
    controller.current = own;
    setState((old) => ({
      ...old,
      error: null,
      isDone: false,
      isCancelled: false,
      doubt: undefined,
    }));
    showWork(null);
    try {
      const next = await task(own.signal);
      setState((old) => ({ ...old, ...next, work: null, isDone: true }));
    } catch (error) {
      const { aborted } = own.signal;
      const work = latestWork.current;
      // The browser reports what it has sent a moment later: a cancelled file may have arrived as a whole.
      const isInDoubt = work?.step === 'apply' && (aborted || isLost(work, error));
      const isCancelled = aborted && step === 'apply';
      const shown = aborted || isInDoubt ? null : error;
      const doubt = isInDoubt ? 'asking' : undefined;
      setState((old) => ({ ...old, work: null, error: shown, isCancelled, doubt }));
      if (isInDoubt) await resolveDoubt(own, isCancelled);
    }
  };

  /** An import that is cancelled is rolled back or finished: asks which, and shows it. */
  const resolveDoubt = async (own: AbortController, isCancelled: boolean) => {
    if (!state.checked) return;
    const isLatest = () => controller.current === own;
    const outcome = await findOutcome(state.checked, account_id, isLatest);
    if (!isLatest()) return;
    if (typeof outcome === 'object') {
      void invalidate(CATALOGUE_KEYS);
      setState({ ...NOTHING, applied: outcome });
      return;
    }
    const isRolledBack = outcome === 'not_applied' && isCancelled;
    setState((old) => ({ ...old, doubt: isRolledBack ? undefined : 'unknown' }));
  };

  return {
    ...state,
    check: () =>
      run('check', async (signal) => {
        const { kind, format, deletesMissing } = source;
        const query = { delete_missing: deletesMissing ? 'true' : undefined };
        const request = { sandbox, kind, format, query, bytes: await source.read() };
        const answer = await send('check', request, signal);
        return { checked: { request, answer }, applied: null };
      }),

    apply: ({ reason, confirm_sandbox_name }: Approval) =>
      run('apply', async (signal) => {
        if (!state.checked) return {};
        const { request, answer } = state.checked;
        const { head_seq: expected_head_seq } = answer;
        const query = { ...request.query, reason, expected_head_seq };
        // The reason is a part of the plan, so that the plan with it has a digest of its own.
        const planned = reason ? await send('check', { ...request, query }, signal) : answer;
        const approved = {
          ...query,
          mode: 'apply',
          plan_digest: planned.plan_digest,
          confirm_sandbox_name,
        };
        const applied = await send('apply', { ...request, query: approved }, signal);
        void invalidate(CATALOGUE_KEYS);
        return { applied, checked: null };
      }),

    /** Undefined where it would be too late: a click must not promise what it cannot keep. */
    cancel: canCancel(state.work)
      ? () => {
          if (canCancel(latestWork.current)) controller.current?.abort(CANCELLED);
        }
      : undefined,
    /** After another file, kind or option was chosen, the old plan says nothing. */
    forget: () => {
      controller.current = null;
      setState(NOTHING);
    },
  };
};

const CANCELLED = new DOMException('Cancelled', 'AbortError');

const ASKS = 5;
const ASK_EVERY_MS = 1_000;

/**
 * The answer of an import whose connection is closed, from what it has written. A service rolls back what it has not
 * committed then, so that some seconds later there is nothing more to come; a proxy may have kept its connection open.
 */
const findOutcome = async (
  { request: { sandbox: sandbox_id }, answer }: Checked,
  account_id: string,
  isWanted: () => boolean,
): Promise<ImportAnswer | 'not_applied' | 'unknown'> => {
  const record_id = answer.operations[0]?.record_id;
  const query = { sandbox_id, record_id, account_id, page_size: 10 };
  let isKnown = false;
  for (let asks = 0; asks < ASKS && isWanted(); asks += 1) {
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS));
    const found = await api.versions.list.query(query).catch(() => null);
    isKnown = found !== null;
    // It is applied to the head that it was checked against, or not at all.
    const own = found?.versions.find(({ seq }) => seq === answer.head_seq + 1);
    if (own) return { ...answer, transaction_id: own.transaction_id };
  }
  return isKnown ? 'not_applied' : 'unknown';
};

const isAllSent = ({ sent, total }: Work): boolean => sent >= total;

const UNANSWERED_STATUSES = [0, 502, 503, 504];

/**
 * No answer, or one that does not say whether the file was applied: a proxy stopped waiting while the service goes on, or the
 * database went away while it was being asked to commit. Before the service has all of the file it applies nothing.
 */
const isLost = (work: Work, error: unknown): boolean => {
  const { status, code } = toApiError(error);
  const isOfProxy = status !== 0 && code === 'unexpected_answer';
  return UNANSWERED_STATUSES.includes(status) && (isOfProxy || isAllSent(work));
};

const canCancel = (work: Work | null): boolean =>
  work !== null && (work.step === 'check' || !isAllSent(work));

/** As the service takes it. */
const MAX_BYTES = 64 * 1024 * 1024;

export type Source = ReturnType<typeof useSource>;

/** The file or the text to be imported. Neither is lost by looking at the other, or by an error. */
export const useSource = () => {
  const values = useUrlValues();
  const [file, setFile] = useState<File | null>(null);
  const [text, setText] = useState('');
  const isText = values.from === 'text';
  const chosen = values.format as ImportFormat | undefined;
  const recognised = recogniseFormat(isText ? '' : (file?.name ?? ''), isText ? text : '');
  return {
    kind: (values.kind ?? 'item') as ImportKind,
    isText,
    file,
    setFile,
    text,
    setText,
    format: chosen ?? recognised,
    isRecognised: chosen === undefined,
    /** There is something whose format could be recognised. */
    isGiven: isText ? text !== '' : file !== null,
    deletesMissing: values.missing === 'delete',
    /** Why it cannot be checked, in words for the field. */
    findProblem: (): string | undefined => {
      if (isText) return text.trim() === '' ? 'Paste the rows first.' : undefined;
      if (!file) return 'Choose a file first.';
      if (file.size > MAX_BYTES) return 'The file is larger than 64 MiB. Split it into parts.';
      return file.size === 0 ? 'The file is empty.' : undefined;
    },
    /** What is read here is what is checked and applied, even when the file changes on the disk meanwhile. */
    read: async (): Promise<Blob> => {
      if (isText || !file) return new Blob([text]);
      try {
        return new Blob([await file.arrayBuffer()]);
      } catch {
        throw unreadable(file.name);
      }
    },
    describe: (): string => (isText ? 'the pasted rows' : (file?.name ?? 'the file')),
    formatName: FORMATS[recognised],
  };
};

const unreadable = (name: string): ApiFailure =>
  new ApiFailure({
    code: 'page_error',
    desc: `${name} can no longer be read: it has changed or moved since it was chosen. Choose it again.`,
    status: 0,
  });

/** The service keeps no plan: it makes the same one again from the same file, and returns its next part. */
const readOperations = async ({ request, answer }: Checked, from: number, signal: AbortSignal) => {
  const place = { expected_head_seq: answer.head_seq, operations_from: from };
  const query = { ...request.query, ...place };
  const { operations } = await sendFile({ ...request, query }, { signal, onSent: () => {} });
  return operations;
};

/** The operations of a plan as rows: a thousand come with the plan, the others as they are scrolled to. */
export const usePlannedRows = (checked: Checked): Rows<PlannedChange> => {
  const { answer } = checked;
  const total = countChanges(answer);
  const pages = useInfiniteQuery({
    queryKey: ['import-plan', answer.plan_digest],
    queryFn: ({ pageParam, signal }) => readOperations(checked, pageParam, signal),
    initialPageParam: 0,
    initialData: { pages: [answer.operations], pageParams: [0] },
    getNextPageParam: (_, all) => {
      const read = all.reduce((sum, { length }) => sum + length, 0);
      return read < total ? read : undefined;
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  return {
    ...toRows(pages.data.pages.flat(), identifyChange, pages),
    total,
    isLoadingMore: pages.isFetchingNextPage,
    hasMore: pages.hasNextPage,
    loadMore: () => void pages.fetchNextPage(),
    refetch: pages.fetchNextPage,
  };
};
