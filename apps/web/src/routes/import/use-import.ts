// Check, look, apply: what is applied is what was checked, to the byte.
import { useRef, useState } from 'react';
import type { Approval } from '../../features/planned-changes/approval-form.tsx';
import { refreshCatalogue } from '../../features/planned-changes/refresh-catalogue.ts';
import type { ImportAnswer } from './import-answer.ts';
import type { FileRequest } from './send-file.ts';
import { sendFile } from './send-file.ts';
import type { Source } from './use-source.ts';

/** Sending can be cancelled without a trace; what the service works on when it is cancelled may be done. */
export type Work = { step: 'check' | 'apply'; sent: number; total: number };

export type Checked = { request: FileRequest; answer: ImportAnswer };

type State = {
  work: Work | null;
  checked: Checked | null;
  applied: ImportAnswer | null;
  error: unknown;
  /** The last work came to its end, with an answer to look at. */
  isDone: boolean;
  /** Cancelled when the service had the whole file. */
  isUncertain: boolean;
};

const NOTHING: State = {
  work: null,
  checked: null,
  applied: null,
  error: null,
  isDone: false,
  isUncertain: false,
};

export type Import = ReturnType<typeof useImport>;

export const useImport = (sandbox: string, source: Source) => {
  const [state, setState] = useState(NOTHING);
  const controller = useRef<AbortController | null>(null);
  const isAllSent = useRef(false);

  const send = (step: Work['step'], request: FileRequest, signal: AbortSignal) => {
    const total = request.bytes.size;
    isAllSent.current = false;
    const onSent = (sent: number) => {
      isAllSent.current = sent >= total;
      setState((old) => ({ ...old, work: { step, sent: Math.min(sent, total), total } }));
    };
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
    setState((old) => ({ ...old, error: null, isDone: false, isUncertain: false }));
    try {
      const next = await task(own.signal);
      setState((old) => ({ ...old, ...next, work: null, isDone: true }));
    } catch (error) {
      const isUncertain = own.signal.aborted && step === 'apply' && isAllSent.current;
      const shown = own.signal.aborted ? null : error;
      setState((old) => ({ ...old, work: null, error: shown, isUncertain }));
    }
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
          ...{ mode: 'apply', plan_digest: planned.plan_digest, confirm_sandbox_name },
        };
        const applied = await send('apply', { ...request, query: approved }, signal);
        refreshCatalogue();
        return { applied, checked: null };
      }),

    cancel: () => controller.current?.abort(new DOMException('Cancelled', 'AbortError')),
    /** After another file, kind or option was chosen, the old plan says nothing. */
    forget: () => setState(NOTHING),
  };
};
