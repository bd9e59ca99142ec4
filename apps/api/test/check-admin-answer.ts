// Compares what a procedure answers with its reference.
import { z } from 'zod';
import type { CheckAnswer } from '../src/admin/procedures.ts';
import { listErrorCodes } from '../src/admin/reference/build-admin-openapi.ts';
import type { ProcedureName } from '../src/admin/reference/index.ts';
import { PROCEDURES } from '../src/admin/reference/index.ts';

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
