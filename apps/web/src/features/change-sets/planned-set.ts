// A change set that the app makes from a choice of records, previews in a dialog, and discards when it is not applied.
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { ApiInputs } from '../../api/client.ts';
import { api } from '../../api/client.ts';
import type { ChangeSet } from './change-set-queries.ts';
import { CHANGE_SET_KEYS } from './change-set-queries.ts';

type Matching = ApiInputs['changeSets']['addMatching']['matching'];
export type PlannedOperations = ApiInputs['changeSets']['addOperations']['operations'];

export type SetPlan = { title: string; reason?: string | undefined } & (
  | { matching: Matching }
  | { operations: PlannedOperations }
);

/** The most operations of one request. */
const MAX_ADDED = 1000;

const createSet = async (
  sandbox_id: string,
  { title, reason, ...content }: SetPlan,
): Promise<ChangeSet> => {
  const { change_set_id } = await api.changeSets.create.mutate({ sandbox_id, title, reason });
  const place = { sandbox_id, change_set_id };
  try {
    if ('matching' in content)
      return await api.changeSets.addMatching.mutate({ ...place, ...content });
    return await addOperations(place, content.operations);
  } catch (error) {
    await discardSet(place);
    throw error;
  }
};

const addOperations = async (
  place: Pick<ChangeSet, 'sandbox_id' | 'change_set_id'>,
  operations: PlannedOperations,
): Promise<ChangeSet> => {
  const set = await api.changeSets.addOperations.mutate({
    ...place,
    operations: operations.slice(0, MAX_ADDED),
  });
  const rest = operations.slice(MAX_ADDED);
  return rest.length > 0 ? addOperations(place, rest) : set;
};

/** Never fails: the set is only a leftover, which the list of change sets shows. */
export const discardSet = ({
  sandbox_id,
  change_set_id,
}: Pick<ChangeSet, 'sandbox_id' | 'change_set_id'>) =>
  api.changeSets.cancel.mutate({ sandbox_id, change_set_id, discard: true }).catch(() => {});

/** A new function for each call. Resolves to null when there is nothing to preview. */
type MakeSet = () => Promise<ChangeSet | null>;
type MakeOptions = { onError: (error: unknown) => void };

export type PlannedSet = ReturnType<typeof usePlannedSet>;

export const usePlannedSet = (sandbox: string) => {
  const [set, setSet] = useState<ChangeSet | null>(null);
  /** Null after the user cancelled. Only the set that this call makes is kept. */
  const latest = useRef<MakeSet | null>(null);
  const creating = useMutation({
    mutationFn: async (make: MakeSet) => {
      const made = await make();
      if (latest.current === make) setSet(made);
      else if (made) await discardSet(made);
    },
    meta: { invalidates: CHANGE_SET_KEYS, showsFailure: true },
  });
  const discarding = useMutation({
    mutationFn: discardSet,
    meta: { invalidates: CHANGE_SET_KEYS },
  });
  const make = (work: MakeSet, options?: MakeOptions): void => {
    latest.current = work;
    creating.mutate(work, options);
  };
  return {
    set,
    make,
    create: (plan: SetPlan, options?: MakeOptions) => make(() => createSet(sandbox, plan), options),
    isCreating: creating.isPending,
    error: creating.error,
    /** After the set was applied or submitted, or opened in a page of its own. */
    release: () => setSet(null),
    /** Also forgets the error of the last call. */
    discard: () => {
      latest.current = null;
      creating.reset();
      if (set) discarding.mutate(set);
      setSet(null);
    },
  };
};
