// A walk through the pages of a history, one request at a time; pages that were read stay.
import { useEffect, useRef, useState } from 'react';
import type { PublicAnswer } from './read-public-history.ts';
import { readPublicHistory } from './read-public-history.ts';
import type { RequestFields } from './request-fields.ts';
import { toRequest } from './request-fields.ts';

type Begun = { fields: RequestFields; token: string | undefined };
type Walk = { begun: Begun; answers: PublicAnswer[]; at: number };

export const useWalk = (sandbox: string) => {
  const [walk, setWalk] = useState<Walk | null>(null);
  const [isBusy, setBusy] = useState(false);
  /** What could not be sent at all. */
  const [problem, setProblem] = useState<string>();
  const controller = useRef<AbortController | null>(null);
  useEffect(() => () => controller.current?.abort(), []);

  const ask = async (begun: Begun, known: PublicAnswer[], cursor?: string) => {
    controller.current?.abort();
    const own = new AbortController();
    controller.current = own;
    setBusy(true);
    setProblem(undefined);
    const { origin: baseUrl } = window.location;
    try {
      const request = toRequest(begun.fields, { baseUrl, sandbox, token: begun.token, cursor });
      const answers = [...known, await readPublicHistory(request, own.signal)];
      setWalk({ begun, answers, at: answers.length - 1 });
    } catch (error) {
      if (!own.signal.aborted) setProblem(error instanceof Error ? error.message : String(error));
    } finally {
      if (controller.current === own) setBusy(false);
    }
  };

  const answer = walk?.answers[walk.at];
  const cursor = answer?.page?.page_meta.cursor;
  return {
    answer,
    isBusy,
    problem,
    hasToken: walk?.begun.token !== undefined,
    pageNumber: (walk?.at ?? 0) + 1,
    start: (begun: Begun) => ask(begun, []),
    next:
      walk && cursor !== undefined
        ? () => {
            if (walk.at + 1 < walk.answers.length) setWalk({ ...walk, at: walk.at + 1 });
            else void ask(walk.begun, walk.answers, cursor);
          }
        : undefined,
    previous: walk && walk.at > 0 ? () => setWalk({ ...walk, at: walk.at - 1 }) : undefined,
  };
};
