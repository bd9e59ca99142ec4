// Verifies hash chains, and keeps the results until the page is loaded again.
import { skipToken, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { ApiOutputs } from '../../api/client.ts';
import { api, queryClient } from '../../api/client.ts';
import { notifyError } from '../../api/notify.ts';

type Answer = ApiOutputs['verification']['check'];
export type CheckedChain = Answer & { at: string };

export type Running = { done: number; total: number | undefined };

/** Small enough for smooth progress and a quick cancellation. */
const CHUNK = 2000;

const resultKey = (sandboxId: string) => ['verified chain', sandboxId];

/** The last result of this browser tab. */
export const useVerified = (sandboxId: string): CheckedChain | undefined =>
  useQuery<CheckedChain>({
    queryKey: resultKey(sandboxId),
    queryFn: skipToken,
    staleTime: Infinity,
    gcTime: Infinity,
  }).data;

/** Verifies chains in chunks, so that the dialog shows progress and can cancel. */
export const useVerification = () => {
  const [running, setRunning] = useState<Running | null>(null);
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);

  const verify = async (sandboxIds: readonly string[]): Promise<void> => {
    const controller = new AbortController();
    stop.current = controller;
    setRunning({ done: 0, total: undefined });
    try {
      for (const sandboxId of sandboxIds) {
        const answer = await checkChain(sandboxId, controller.signal, setRunning);
        if (!answer) break;
        const checked: CheckedChain = { ...answer, at: new Date().toISOString() };
        queryClient.setQueryData(resultKey(sandboxId), checked);
      }
    } catch (error) {
      if (!controller.signal.aborted) notifyError(error, 'The check did not finish');
    } finally {
      setRunning(null);
    }
  };
  return { running, verify, cancel: () => stop.current?.abort() };
};

/** Null if the user cancelled. */
const checkChain = async (
  sandbox_id: string,
  signal: AbortSignal,
  report: (running: Running) => void,
): Promise<Answer | null> => {
  let after_seq = 0;
  while (!signal.aborted) {
    const input = { sandbox_id, after_seq, limit: CHUNK };
    const answer = await api.verification.check.query(input, { signal });
    if (answer.done) return answer;
    after_seq = answer.checked_to_seq;
    report({ done: after_seq, total: answer.head_seq });
  }
  return null;
};
