import { useEffect, useState } from 'react';
import { toApiError } from '../../api/api-error.ts';

const SECOND_MS = 1000;

/** Seconds until the service listens again after it said "too many attempts"; 0 when it does. */
export const useWait = (error: unknown): number => {
  const waitMs = error ? (toApiError(error).retryAfterMs ?? 0) : 0;
  const [left, setLeft] = useState(0);
  useEffect(() => {
    const end = error ? Date.now() + waitMs : 0;
    const count = () => setLeft(Math.max(0, Math.ceil((end - Date.now()) / SECOND_MS)));
    count();
    if (waitMs === 0) return;
    const timer = setInterval(count, SECOND_MS);
    return () => clearInterval(timer);
  }, [error, waitMs]);
  return left;
};

/** "4 min 20 s". */
export const formatWait = (seconds: number): string => {
  const minutes = Math.floor(seconds / 60);
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
};
