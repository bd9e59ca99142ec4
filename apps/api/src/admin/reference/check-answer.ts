// Compares what a procedure answers with its reference: for tests, since it takes time.
import type { ErrorCode } from '@muster/contract';
import { z } from 'zod';
import type { ProcedureMeta } from '../trpc.ts';
import { listErrorCodes } from './build-admin-openapi.ts';
import type { ProcedureName } from './index.ts';
import { PROCEDURES } from './index.ts';

/** `answer` is the result, or the code of the refusal. Throws where the reference does not have it. */
export type CheckAnswer = (
  path: string,
  meta: ProcedureMeta | undefined,
  answer: { data: unknown } | { code: ErrorCode },
) => void;

export const checkAnswer: CheckAnswer = (path, meta, answer) => {
  const reference = PROCEDURES[path as ProcedureName];
  if ('code' in answer) {
    if (listErrorCodes(reference, meta).includes(answer.code)) return;
    throw new Error(`${path} is not described to be refused with ${answer.code}.`);
  }
  // As clients read it: without undefined members.
  const data: unknown =
    answer.data === undefined ? undefined : JSON.parse(JSON.stringify(answer.data));
  const { error } = (reference.output ?? z.undefined()).safeParse(data);
  if (error) throw new Error(`${path} is not described to answer this: ${z.prettifyError(error)}`);
};
