// Checks chains in chunks, so that one sees how far it is and can stop it.
import { useEffect, useRef, useState } from 'react';
import type { ApiOutputs } from '../../../api/trpc.ts';
import { api } from '../../../api/trpc.ts';
import { notifyError } from '../../../components/notify.ts';

type Answer = ApiOutputs['verification']['check'];
export type CheckedChain = Answer & { at: string };

type Running = { done: number; total: number | undefined };

/** Small enough that the progress moves and a cancel is felt. */
const CHUNK = 2000;

export const useVerification = () => {
  const [running, setRunning] = useState<Running | null>(null);
  const [results, setResults] = useState<ReadonlyMap<string, CheckedChain>>(new Map());
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
        const checked = { ...answer, at: new Date().toISOString() };
        setResults((known) => new Map(known).set(sandboxId, checked));
      }
    } catch (error) {
      if (!controller.signal.aborted) notifyError(error, 'The check did not come to its end');
    } finally {
      setRunning(null);
    }
  };
  return { running, results, verify, cancel: () => stop.current?.abort() };
};

/** Null when it was cancelled. */
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
