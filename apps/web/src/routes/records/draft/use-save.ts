// Sends a draft: creates, or updates upon the version that was read. Somebody else's save in between is a conflict
// to be decided, never an error that loses what was typed.
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { toApiError } from '../../../api/api-error.ts';
import { api } from '../../../api/trpc.ts';
import { readId } from '../../../features/records/record-kind.ts';
import type { StoredRecord } from '../../../features/records/record-procedures.ts';
import { keepRecord } from '../../../features/records/record-queries.ts';
import type { Problems } from './check-draft.ts';
import { placeProblems } from './check-draft.ts';
import type { DraftState } from './use-draft.ts';

export type Conflict = { theirs: StoredRecord; accountId?: string };

class ConflictError extends Error {
  readonly conflict: Conflict;
  constructor(conflict: Conflict) {
    super('The record was changed meanwhile.');
    this.conflict = conflict;
  }
}

export const useSave = (
  state: DraftState,
  sandboxId: string,
  onSaved: (record: StoredRecord) => void,
) => {
  const { kind, base } = state;
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const mutation = useMutation({
    mutationFn: () => send(state, sandboxId),
    onSuccess: (record) => {
      state.rebase(record);
      keepRecord(kind, sandboxId, readId(kind, record), record);
      onSaved(record);
    },
    onError: (error) => {
      if (error instanceof ConflictError) setConflict(error.conflict);
    },
  });
  const error = mutation.error instanceof ConflictError ? null : mutation.error;
  const isChanged = base === undefined || Object.keys(state.patch).length > 0;
  const problems: Problems = error ? placeProblems(state.draft, toApiError(error).detail) : {};
  return {
    save: () => {
      if (!mutation.isPending && isChanged && state.check()) mutation.mutate();
    },
    isChanged,
    isSaving: mutation.isPending,
    error,
    /** What the service says of the fields; the browser's own findings come first. */
    problems: { ...problems, ...state.problems },
    conflict,
    setConflict,
  };
};

export type Save = ReturnType<typeof useSave>;

const send = async (state: DraftState, sandbox_id: string): Promise<StoredRecord> => {
  const { kind, base, fields, patch } = state;
  const reason = state.reason.trim() || undefined;
  if (!base) return kind.procedures.create({ sandbox_id, fields, reason });
  const place = { sandbox_id, id: readId(kind, base) };
  try {
    const edit = { ...place, expected_version: base.version, reason };
    return await kind.procedures.update({ ...edit, patch });
  } catch (error) {
    if (toApiError(error).code !== 'record_version_conflict') throw error;
    const theirs = await kind.procedures.get(place);
    throw new ConflictError({ theirs, accountId: await findAuthor(sandbox_id, theirs) });
  }
};

/** Who saved it is good to know, but no reason to fail. */
const findAuthor = async (sandbox_id: string, { version_id }: StoredRecord) => {
  const version = await api.versions.get.query({ sandbox_id, version_id }).catch(() => null);
  return version?.account_id;
};
