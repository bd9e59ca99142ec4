// Check, review, apply. The applied file is byte for byte the one that was checked.

import { MAINTENANCE_DESC } from '@muster/contract';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { api, invalidate } from '../../api/client.ts';
import { ApiFailure, toApiError } from '../../api/errors.ts';
import { useMe } from '../../api/me.ts';
import type { Rows } from '../../ui/table/rows.ts';
import { toRows } from '../../ui/table/rows.ts';
import { useUrlValues } from '../../ui/url-state.tsx';
import type { Approval } from '../planned-changes/approval-form.tsx';
import type { PlannedChange } from '../planned-changes/planned-change.ts';
import { identifyChange } from '../planned-changes/planned-change.ts';
import { CATALOGUE_KEYS } from '../records/record-queries.ts';
import type {
  FileRequest,
  ImportAnswer,
  ImportFormat,
  ImportKind,
  ImportProblem,
  MappedColumns,
} from './import-file.ts';
import { countChanges, FORMATS, recogniseFormat, sendFile } from './import-file.ts';
import { isWorkbook, readWorkbook } from './read-workbook.ts';

/** A check can be cancelled at any time, an import until the service has received the whole file. */
export type Work = { step: 'check' | 'apply'; sent: number; total: number };

export type Checked = { request: FileRequest; answer: ImportAnswer };

type State = {
  work: Work | null;
  checked: Checked | null;
  applied: ImportAnswer | null;
  error: unknown;
  /** The columns that the user chose for this file. */
  mapping?: MappedColumns | undefined;
  /** The last request succeeded and has a result. */
  isDone: boolean;
  /** The user cancelled the import. */
  isCancelled: boolean;
  /** Set when the response is lost and the file may have been applied. Absent: it was not applied. */
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
  /** The next value of `state.work`. A click and the end of the upload may come before the next render. */
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

  /** Runs one request at a time. An error or a cancellation does not change the source or the plan. */
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
      // Upload progress is reported late, so the whole file may have arrived before the cancellation.
      const isInDoubt = work?.step === 'apply' && (aborted || isLost(work, error));
      const isCancelled = aborted && step === 'apply';
      const shown = aborted || isInDoubt ? null : error;
      const doubt = isInDoubt ? 'asking' : undefined;
      setState((old) => ({ ...old, work: null, error: shown, isCancelled, doubt }));
      if (isInDoubt) await resolveDoubt(own, isCancelled);
    }
  };

  /** A cancelled import is either rolled back or finished. Finds out which, and shows it. */
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
    /** Without a mapping the columns of the last import and similar names are used. */
    check: (mapping: MappedColumns | undefined = state.mapping) =>
      run('check', async (signal) => {
        const { kind, format, deletesMissing } = source;
        const columns = mapping ? JSON.stringify(mapping) : 'auto';
        const query = { delete_missing: deletesMissing ? 'true' : undefined, columns };
        const request = { sandbox, kind, format, query, bytes: await source.read() };
        const answer = await send('check', request, signal);
        return { checked: { request, answer }, applied: null, mapping };
      }),

    apply: ({ reason, confirm_sandbox_name }: Approval) =>
      run('apply', async (signal) => {
        if (!state.checked) return {};
        const { request, answer } = state.checked;
        const { head_seq: expected_head_seq } = answer;
        const query = { ...request.query, reason, expected_head_seq };
        // The reason is part of the plan, so it changes the digest.
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

    /** Undefined when it is too late to cancel. */
    cancel: canCancel(state.work)
      ? () => {
          if (canCancel(latestWork.current)) controller.current?.abort(CANCELLED);
        }
      : undefined,
    /** Discards the plan after the user chose another file, kind or option. */
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
 * Reads the result of an import from the history after its connection was closed. The service rolls back an uncommitted
 * import within seconds, so the result is final after that. A proxy may keep its connection open for longer.
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
    // The service applies the plan to the head that it was checked against, or not at all.
    const own = found?.versions.find(({ seq }) => seq === answer.head_seq + 1);
    if (own) return { ...answer, transaction_id: own.transaction_id };
  }
  return isKnown ? 'not_applied' : 'unknown';
};

const isAllSent = ({ sent, total }: Work): boolean => sent >= total;

const UNANSWERED_STATUSES = [0, 502, 503, 504];

/**
 * No response, or one that does not show whether the file was applied: a proxy timed out while the service continues, or the
 * database failed during the commit. The service applies nothing before it has received the whole file, or during maintenance.
 */
const isLost = (work: Work, error: unknown): boolean => {
  const { status, code, desc } = toApiError(error);
  if (desc === MAINTENANCE_DESC) return false;
  const isOfProxy = status !== 0 && code === 'unexpected_answer';
  return UNANSWERED_STATUSES.includes(status) && (isOfProxy || isAllSent(work));
};

const canCancel = (work: Work | null): boolean =>
  work !== null && (work.step === 'check' || !isAllSent(work));

/** The service's limit. */
const MAX_BYTES = 64 * 1024 * 1024;

export type Source = ReturnType<typeof useSource>;

/** The file or the pasted text. Both are kept when the user switches between them, and after an error. */
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
    format: isWorkbook(isText ? '' : (file?.name ?? '')) ? 'csv' : (chosen ?? recognised),
    isRecognised: chosen === undefined,
    /** Whether there is a file or a text to detect the format of. */
    isGiven: isText ? text !== '' : file !== null,
    deletesMissing: values.missing === 'delete',
    /** The reason why the source cannot be checked, as an error message for the field. */
    findProblem: (): string | undefined => {
      if (isText) return text.trim() === '' ? 'Paste the rows first.' : undefined;
      if (!file) return 'Choose a file first.';
      if (file.size > MAX_BYTES) return 'The file is larger than 64 MiB. Split it into parts.';
      return file.size === 0 ? 'The file is empty.' : undefined;
    },
    /** Reads the file once, so that later changes on disk do not affect what is checked and applied. */
    read: async (): Promise<Blob> => {
      if (isText || !file) return new Blob([text]);
      try {
        const bytes = await file.arrayBuffer();
        return new Blob([isWorkbook(file.name) ? await readWorkbook(file.name, bytes) : bytes]);
      } catch (error) {
        throw error instanceof ApiFailure ? error : unreadable(file.name);
      }
    },
    describe: (): string => (isText ? 'the pasted rows' : (file?.name ?? 'the file')),
    formatName: !isText && isWorkbook(file?.name ?? '') ? 'Excel workbook' : FORMATS[recognised],
  };
};

const unreadable = (name: string): ApiFailure =>
  new ApiFailure({
    code: 'page_error',
    desc: `${name} can no longer be read: it has changed or moved since it was chosen. Choose it again.`,
    status: 0,
  });

/** The service stores no plan. It computes the plan again from the same file and returns the next page. */
const readOperations = async ({ request, answer }: Checked, from: number, signal: AbortSignal) => {
  const place = { expected_head_seq: answer.head_seq, operations_from: from };
  const query = { ...request.query, ...place };
  const { operations } = await sendFile({ ...request, query }, { signal, onSent: () => {} });
  return operations;
};

/** Each request plans the file again, so the number of them is limited. */
const MAX_ERROR_PAGES = 20;

/** All problems of a file: the answer has the first thousand. */
export const readProblems = async ({ request, answer }: Checked): Promise<ImportProblem[]> => {
  const problems = [...answer.errors];
  const signal = AbortSignal.timeout(60_000);
  for (let page = 1; page < MAX_ERROR_PAGES && problems.length < answer.error_count; page += 1) {
    const query = { ...request.query, errors_from: problems.length };
    const { errors } = await sendFile({ ...request, query }, { signal, onSent: () => {} });
    if (errors.length === 0) break;
    problems.push(...errors);
  }
  return problems;
};

/** The operations of a plan as rows. The plan has the first thousand; scrolling loads the others. */
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
