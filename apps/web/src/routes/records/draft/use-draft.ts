// One record while it is edited: what was read, what is typed, and what is wrong with it. The tabs of a page share it.
import { useEffect, useMemo, useState } from 'react';
import type { RecordFields, RecordKind } from '../../../features/records/record-kind.ts';
import { readFields } from '../../../features/records/record-kind.ts';
import type { StoredRecord } from '../../../features/records/record-procedures.ts';
import type { Problems } from './check-draft.ts';
import { checkDraft } from './check-draft.ts';
import type { Draft } from './draft.ts';
import { NEW_DRAFT, toDraft, toFields, toPatch } from './draft.ts';

export type DraftState = {
  kind: RecordKind;
  /** The version that the edit rests on; absent for a new record. */
  base: StoredRecord | undefined;
  baseFields: RecordFields | undefined;
  draft: Draft;
  change: (part: Partial<Draft>) => void;
  /** The draft as it would be sent. */
  fields: RecordFields;
  /** The fields that differ from the base; null clears one. */
  patch: RecordFields;
  reason: string;
  setReason: (reason: string) => void;
  /** JSON that cannot be taken over as it is. While there is some, the form waits for it. */
  pendingJson: string | null;
  setPendingJson: (text: string | null) => void;
  /** Those of the fields that were touched; of all of them once saving was tried. */
  problems: Problems;
  /** True when it can be sent; otherwise all problems are shown and the first takes the focus. */
  check: () => boolean;
  isUnsaved: boolean;
  /** Begins anew from a stored record; `typed` goes on being unsaved. */
  rebase: (record: StoredRecord, typed?: RecordFields) => void;
  discard: () => void;
};

export const useDraft = (kind: RecordKind, stored?: StoredRecord): DraftState => {
  const [base, setBase] = useState(stored);
  const baseFields = useMemo(() => base && readFields(kind, base), [kind, base]);
  const start = useMemo(
    () => (baseFields ? toDraft(kind, baseFields) : NEW_DRAFT),
    [kind, baseFields],
  );
  const [draft, setDraft] = useState(start);
  const [reason, setReason] = useState('');
  const [pendingJson, setPendingJson] = useState<string | null>(null);
  const [attempts, setAttempts] = useState(0);
  useFocusOnProblem(attempts);
  const fields = useMemo(() => toFields(kind, draft), [kind, draft]);
  const found = useMemo(() => checkDraft(kind, draft), [kind, draft]);
  const patch = useMemo(
    () => toPatch(kind, baseFields ?? toFields(kind, start), fields),
    [kind, baseFields, start, fields],
  );
  const isTyped = JSON.stringify(draft) !== JSON.stringify(start);
  const isUnsaved = isTyped || reason !== '' || pendingJson !== null;
  const isValid = Object.keys(found).length === 0;

  const rebase = (record: StoredRecord, typed?: RecordFields): void => {
    setBase(record);
    setDraft(toDraft(kind, typed ?? readFields(kind, record)));
    setPendingJson(null);
    setAttempts(0);
    if (!typed) setReason('');
  };
  if (stored && base && stored.version > base.version && !isUnsaved) rebase(stored);

  return {
    kind,
    base,
    baseFields,
    draft,
    change: (part) => setDraft((current) => ({ ...current, ...part })),
    fields,
    patch,
    reason,
    setReason,
    pendingJson,
    setPendingJson,
    problems: attempts > 0 ? found : keepTouched(found, patch),
    check: () => {
      if (!isValid) setAttempts(attempts + 1);
      return isValid && pendingJson === null;
    },
    isUnsaved,
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
