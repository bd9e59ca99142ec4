// The metadata of procedures.
import type { ErrorCode, RequiredPermission } from '@muster/contract';

/** What a procedure requires of its caller; the authorisation test is generated from it. */
export type ProcedureMeta =
  | { access: 'public' }
  | { access: 'authenticated'; beforePasswordChange?: true }
  | { access: 'person' }
  | { access: 'permitted' | 'sandbox'; anyOf: readonly RequiredPermission[] };

/** Compares an answer with the reference: `answer` is the result, or the code of the refusal. Throws where they differ. */
export type CheckAnswer = (
  path: string,
  meta: ProcedureMeta | undefined,
  answer: { data: unknown } | { code: ErrorCode },
) => void;
