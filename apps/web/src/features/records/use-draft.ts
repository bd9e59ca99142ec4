// State of a record while it is edited: the stored record, the draft and its problems. All tabs of a page share it.

import { useMutation } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { api, queryClient } from '../../api/client.ts';
import { toApiError } from '../../api/errors.ts';
import { useSandboxId } from '../../api/sandboxes.ts';
import type { Draft, Problems } from './draft.ts';
import { checkDraft, NEW_DRAFT, placeProblems, toDraft, toFields, toPatch } from './draft.ts';
import type { RecordFields, RecordKind, StoredRecord } from './record-kind.ts';
import { readFields } from './record-kind.ts';
import { recordKeys, recordOptions } from './record-queries.ts';

export type DraftState = ReturnType<typeof useDraft>;

/** `fresh` is where a new record begins. */
export const useDraft = (kind: RecordKind, stored?: StoredRecord, fresh: Draft = NEW_DRAFT) => {
  const [base, setBase] = useState(stored);
  const baseFields = useMemo(() => base && readFields(kind, base), [kind, base]);
  const start = useMemo(
    () => (baseFields ? toDraft(kind, baseFields) : fresh),
    [kind, baseFields, fresh],
  );
  const [draft, setDraft] = useState(start);
  const [reason, setReason] = useState('');
  const [pendingJson, setPendingJson] = useState<string | null>(null);
  const [attempts, setAttempts] = useState(0);
  const [hasFocus, setHasFocus] = useState(false);
  useFocusOnProblem(attempts);
  const fields = useMemo(() => toFields(kind, draft), [kind, draft]);
  const storedName = baseFields?.name;
  const found = useMemo(() => checkDraft(kind, draft, storedName), [kind, draft, storedName]);
  const patch = useMemo(
    () => toPatch(kind, baseFields ?? toFields(kind, start), fields),
    [kind, baseFields, start, fields],
  );
  const isTyped = writeDraft(draft) !== writeDraft(start);
  const isUnsaved = isTyped || reason !== '' || pendingJson !== null;
  const isValid = Object.keys(found).length === 0;

  /** Starts again from a stored record. `typed` becomes the unsaved draft. */
  const rebase = (record: StoredRecord, typed?: RecordFields): void => {
    setBase(record);
    setDraft(toDraft(kind, typed ?? readFields(kind, record)));
    setPendingJson(null);
    setAttempts(0);
    if (!typed) setReason('');
  };
  // A field that has the focus keeps its text: the user may be about to type.
  const isIdle = !isUnsaved && !hasFocus;
  if (stored && base && stored.version > base.version && isIdle) rebase(stored);

  return {
    kind,
    /** The version that the edit is based on; absent for a new record. */
    base,
    baseFields,
    draft,
    change: (part: Partial<Draft>) => setDraft((current) => ({ ...current, ...part })),
    /** The draft as it would be sent. */
    fields,
    /** The fields that differ from the base; null clears a field. */
    patch,
    reason,
    setReason,
    /** Invalid JSON of the editor. The form cannot be saved until it is valid. */
    pendingJson,
    setPendingJson,
    /** Problems of the touched fields, or of all fields after the first attempt to save. */
    problems: attempts > 0 ? found : keepTouched(found, patch),
    /** Returns true if the draft can be sent. Otherwise shows all problems and focuses the first one. */
    check: () => {
      if (!isValid) setAttempts(attempts + 1);
      return isValid && pendingJson === null;
    },
    isUnsaved,
    /** Whether a field of the form has the focus. */
    setHasFocus,
    rebase,
    discard: () => {
      setDraft(start);
      setReason('');
      setPendingJson(null);
      setAttempts(0);
    },
  };
};

const keepTouched = (problems: Problems, patch: RecordFields): Problems =>
  Object.fromEntries(
    Object.entries(problems).filter(([place]) => Object.hasOwn(patch, place.split('.')[0] ?? '')),
  );

const useFocusOnProblem = (attempts: number): void => {
  useEffect(() => {
    if (attempts === 0) return;
    document.querySelector<HTMLElement>('#main [aria-invalid="true"]')?.focus();
  }, [attempts]);
};

type Conflict = { theirs: StoredRecord; accountId?: string };

class ConflictError extends Error {
  readonly conflict: Conflict;
  constructor(conflict: Conflict) {
    super('The record has been changed by another request.');
    this.conflict = conflict;
  }
}

/**
 * Sends a draft: creates a record, or updates the version that was loaded. If another user has saved in between, the user
 * resolves the conflict and keeps all input.
 */
export const useSave = (state: DraftState, onSaved: (record: StoredRecord) => void) => {
  const { kind, base } = state;
  const sandboxId = useSandboxId();
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const mutation = useMutation({
    mutationFn: () => send(state, sandboxId),
    meta: { invalidates: recordKeys(kind), showsFailure: true },
    onSuccess: (record) => {
      state.rebase(record);
      const { queryKey } = recordOptions(kind, sandboxId, kind.idOf(record));
      queryClient.setQueryData(queryKey, record);
      onSaved(record);
    },
    onError: (error) => {
      if (error instanceof ConflictError) setConflict(error.conflict);
      // The change waits for review, so nothing is left to save.
      if (toApiError(error).code === 'review_required') state.discard();
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
    /** Problems that the service reported. Those that the browser finds come first. */
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
  const place = { sandbox_id, id: kind.idOf(base) };
  try {
    const edit = { ...place, expected_version: base.version, reason };
    return await kind.procedures.update({ ...edit, patch });
  } catch (error) {
    if (toApiError(error).code !== 'record_version_conflict') throw error;
    const theirs = await kind.procedures.get(place);
    throw new ConflictError({ theirs, accountId: await findAuthor(sandbox_id, theirs) });
  }
};

/** The author's name is optional, so a failure to load it is ignored. */
const findAuthor = async (sandbox_id: string, { version_id }: StoredRecord) => {
  const version = await api.versions.get.query({ sandbox_id, version_id }).catch(() => null);
  return version?.account_id;
};

/** Without the marks of rows that were typed: a text that was typed and removed again is no change. */
const writeDraft = (draft: Draft): string =>
  JSON.stringify(draft, (name, value) => (name === 'isTyped' ? undefined : value));
