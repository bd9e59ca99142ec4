// Exactly what promoting the selected records would write, and the button that writes it.
import { Alert, Button } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { toApiError } from '../../api/api-error.ts';
import type { ApiOutputs } from '../../api/trpc.ts';
import { api, trpc } from '../../api/trpc.ts';
import { readList, writeList } from '../../components/data-table/table-search.ts';
import { FormError } from '../../components/forms/form-error.tsx';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { QueryState } from '../../components/states/query-state.tsx';
import { SearchLink } from '../../components/url/search-link.tsx';
import { useUrlChange } from '../../components/url/url-state.ts';
import type { Approval } from '../../features/planned-changes/approval-form.tsx';
import { ApprovalForm } from '../../features/planned-changes/approval-form.tsx';
import { PlannedList, toPlannedRows } from '../../features/planned-changes/planned-list.tsx';
import { refreshCatalogue } from '../../features/planned-changes/refresh-catalogue.ts';
import classes from './compare-sandboxes.module.css';
import type { Comparison } from './comparison.ts';
import { KIND_WORDS, toPair } from './comparison.ts';
import { describePromotion } from './describe-promotion.ts';
import { RefusedRecords } from './refused-records.tsx';

type Answer = ApiOutputs['compare']['promote'];
export type Promoted = { answer: Answer; comparison: Comparison };

const route = getRouteApi('/app/s/$sandbox/compare-sandboxes');

type PromotePanelProps = Comparison & { onDone: (promoted: Promoted) => void };

export const PromotePanel = ({ onDone, ...comparison }: PromotePanelProps) => {
  const change = useUrlChange();
  const ids = readList(route.useSearch().sel);
  const input = { ...toPair(comparison), record_ids: ids };
  const plan = useQuery({
    queryKey: [...trpc.compare.promote.mutationKey(), input],
    queryFn: () => api.compare.promote.mutate({ ...input, dry_run: true }),
    enabled: ids.length > 0,
    // What is shown is what was answered, until somebody asks for it anew.
    ...{ gcTime: 0, staleTime: Number.POSITIVE_INFINITY },
  });
  const back = (
    <SearchLink changes={{ step: undefined, sort: undefined }}>All differences</SearchLink>
  );
  const leave = (answer: Answer) => {
    onDone({ answer, comparison });
    change({ step: undefined, sel: undefined, sort: undefined });
  };
  return (
    <section className={classes.plan}>
      <div className={classes.back}>‹ {back}</div>
      {ids.length === 0 ? (
        <EmptyState title="No record is selected">Choose some in the list first.</EmptyState>
      ) : (
        <QueryState query={plan}>
          {(answer) => (
            <Plan
              comparison={comparison}
              ids={ids}
              answer={answer}
              isReading={plan.isFetching}
              onAgain={() => void plan.refetch()}
              onDone={leave}
            />
          )}
        </QueryState>
      )}
    </section>
  );
};

type PlanProps = {
  comparison: Comparison;
  ids: readonly string[];
  answer: Answer;
  /** A newer answer is on its way: this one must not be applied any more. */
  isReading: boolean;
  onAgain: () => void;
  onDone: (answer: Answer) => void;
};

const Plan = ({ comparison, ids, answer, isReading, onAgain, onDone }: PlanProps) => {
  const { target, kind } = comparison;
  const change = useUrlChange();
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new answer takes the focus.
  useEffect(() => heading.current?.focus(), [answer]);
  const promote = useMutation({
    mutationFn: (approval: Approval) =>
      api.compare.promote.mutate({
        ...toPair(comparison),
        ...{ record_ids: [...ids], dry_run: false, ...approval },
        ...{ expected_head_seq: answer.head_seq, expected_source_head_seq: answer.source_head_seq },
      }),
    onSuccess: (written) => {
      refreshCatalogue();
      onDone(written);
    },
  });
  const again = () => {
    promote.reset();
    onAgain();
  };
  const { operations, errors } = answer;
  const refused = new Set(errors.map(({ record_id }) => record_id));
  const { many } = KIND_WORDS[kind];
  return (
    <>
      <h2 ref={heading} tabIndex={-1} className={classes.heading}>
        Would be written into {target.name}: {describePromotion(answer, comparison)}
      </h2>
      {errors.length > 0 && (
        <RefusedRecords
          errors={errors}
          canLeaveOut={refused.size < ids.length}
          onLeaveOut={() => change({ sel: writeList(ids.filter((id) => !refused.has(id))) })}
        />
      )}
      {operations.length > 0 && (
        <>
          <PlannedList label="Changes" rows={toPlannedRows(operations)} />
          <FormError error={promote.error} fields={[]} />
          {promote.error && toApiError(promote.error).code === 'promote_outdated' && (
            <Outdated onAgain={again} />
          )}
          <ApprovalForm
            sandbox={target}
            action={`Promote into ${target.name}`}
            isGuarded={target.protected === true}
            isDestructive={operations.some(({ operation }) => operation === 'delete')}
            obstacle={errors.length > 0 && 'Leave out the records that cannot come first.'}
            isBusy={promote.isPending || isReading}
            onApply={(approval) => promote.mutate(approval)}
          >
            {describePromotion(answer, comparison)}. All of it or nothing; these {many} can be
            restored from their history.
          </ApprovalForm>
        </>
      )}
    </>
  );
};

const Outdated = ({ onAgain }: { onAgain: () => void }) => (
  <Alert color="yellow" title="One of the two sandboxes has changed since this was shown">
    <p className={classes.hint}>Nothing was written. Look again at what would happen now.</p>
    <Button variant="default" onClick={onAgain}>
      Look again
    </Button>
  </Alert>
);
