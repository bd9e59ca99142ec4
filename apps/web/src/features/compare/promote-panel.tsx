// A preview of everything that promoting the selected records would write, and the button that promotes them.

import { Alert, Box, Button, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { ApiOutputs } from '../../api/client.ts';
import { api, trpc } from '../../api/client.ts';
import { toApiError } from '../../api/errors.ts';
import { AnswerHeading } from '../../ui/answer-heading.tsx';
import { CopyableId } from '../../ui/copyable.tsx';
import { FormError } from '../../ui/forms.tsx';
import { Name } from '../../ui/names.tsx';
import { EmptyState, QueryState } from '../../ui/states.tsx';
import { toRows } from '../../ui/table/rows.ts';
import { readList, SearchLink, useUrlChange, writeList } from '../../ui/url-state.tsx';
import type { Approval } from '../planned-changes/approval-form.tsx';
import { ApprovalForm } from '../planned-changes/approval-form.tsx';
import type { PlannedChange } from '../planned-changes/planned-change.ts';
import { identifyChange } from '../planned-changes/planned-change.ts';
import { PlannedList } from '../planned-changes/planned-list.tsx';
import { RECORD_KINDS } from '../records/record-kind.ts';
import { CATALOGUE_KEYS } from '../records/record-queries.ts';
import type { Comparison, ReferenceChoice } from './comparison.ts';
import { decideReferences, describeOnlyIn, describePromotion, toPair } from './comparison.ts';
import { DanglingReferences } from './dangling-references.tsx';
import classes from './differences.module.css';

type Answer = ApiOutputs['compare']['promote'];
export type Promoted = { answer: Answer; comparison: Comparison };

const route = getRouteApi('/_app/s/$sandbox/compare-sandboxes');

type PromotePanelProps = Comparison & { onDone: (promoted: Promoted) => void };

export const PromotePanel = ({ onDone, ...comparison }: PromotePanelProps) => {
  const change = useUrlChange();
  const ids = readList(route.useSearch().sel);
  const input = { ...toPair(comparison), record_ids: ids };
  const plan = useQuery({
    queryKey: [...trpc.compare.promote.mutationKey(), input],
    // Always includes every referenced record. The list hides those that the user leaves out.
    queryFn: () =>
      api.compare.promote.mutate({ ...input, dry_run: true, include_referenced: true }),
    enabled: ids.length > 0,
    // The preview does not change until the user requests a new one.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const leave = (answer: Answer) => {
    onDone({ answer, comparison });
    change({ step: undefined, sel: undefined, sort: undefined });
  };
  return (
    <Box component="section" className="column" maw="72rem">
      <Text size="xs">
        ‹ <SearchLink changes={{ step: undefined, sort: undefined }}>All differences</SearchLink>
      </Text>
      {ids.length === 0 ? (
        <EmptyState title="No record is selected">Select records in the list first.</EmptyState>
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
    </Box>
  );
};

type PlanProps = {
  comparison: Comparison;
  ids: readonly string[];
  answer: Answer;
  /** A newer preview is loading, so this one must not be applied. */
  isReading: boolean;
  onAgain: () => void;
  onDone: (answer: Answer) => void;
};

const Plan = ({ comparison, ids, answer, isReading, onAgain, onDone }: PlanProps) => {
  const { target, kind } = comparison;
  const change = useUrlChange();
  const [choice, setChoice] = useState<ReferenceChoice>({ includesReferenced: true, accepted: '' });
  const references = decideReferences(answer.dangling_references, choice);
  const promote = useMutation({
    mutationFn: (approval: Approval) =>
      api.compare.promote.mutate({
        ...toPair(comparison),
        record_ids: [...ids],
        dry_run: false,
        ...approval,
        include_referenced: choice.includesReferenced,
        allow_dangling: references.isAccepted,
        expected_head_seq: answer.head_seq,
        expected_source_head_seq: answer.source_head_seq,
      }),
    meta: { invalidates: CATALOGUE_KEYS, showsFailure: true },
    onSuccess: onDone,
  });
  const again = () => {
    promote.reset();
    onAgain();
  };
  const { errors } = answer;
  const operations = answer.operations.filter(
    (each) => choice.includesReferenced || each.kind === kind,
  );
  const planned = describePromotion({ operations }, comparison);
  const leaveOut = (left: ReadonlySet<string>) =>
    change({ sel: writeList(ids.filter((id) => !left.has(id))) });
  const hasKinds = answer.operations.some((each) => each.kind !== kind);
  const refused = new Set(errors.map(({ record_id }) => record_id));
  const { many } = RECORD_KINDS[kind];
  return (
    <>
      <AnswerHeading answer={answer}>
        Will be written to {target.name}: {planned}
      </AnswerHeading>
      {errors.length > 0 && (
        <RefusedRecords
          errors={errors}
          target={target.name}
          canLeaveOut={refused.size < ids.length}
          onLeaveOut={() => leaveOut(refused)}
        />
      )}
      {answer.dangling_references.length > 0 && (
        <DanglingReferences
          comparison={comparison}
          ids={ids}
          references={answer.dangling_references}
          choice={choice}
          onChoose={setChoice}
          onLeaveOut={leaveOut}
        />
      )}
      {operations.length > 0 && (
        <>
          <PlannedList
            key={String(hasKinds)}
            rows={toRows<PlannedChange>(operations, identifyChange)}
            hasKinds={hasKinds}
          />
          <FormError error={promote.error} fields={[]} />
          {promote.error && toApiError(promote.error).code === 'promote_outdated' && (
            <Outdated onAgain={again} />
          )}
          <ApprovalForm
            sandbox={target}
            action={`Promote into ${target.name}`}
            isGuarded={target.protected === true}
            isDestructive={operations.some(({ operation }) => operation === 'delete')}
            obstacle={
              (errors.length > 0 && 'First leave out the records that cannot be promoted.') ||
              (references.isUndecided && 'First decide what happens to the Xp tables above.')
            }
            isBusy={promote.isPending || isReading}
            onApply={(approval) => promote.mutate(approval)}
          >
            {planned}. All changes are applied together, or none. You can restore these{' '}
            {hasKinds ? 'records' : many} from their history.
          </ApprovalForm>
        </>
      )}
    </>
  );
};

const Outdated = ({ onAgain }: { onAgain: () => void }) => (
  <Alert color="yellow" title="One of the sandboxes changed after this preview">
    <Text size="sm" mb="xs">
      Nothing was written. Refresh the preview to see the current changes.
    </Text>
    <Button variant="default" onClick={onAgain}>
      Refresh preview
    </Button>
  </Alert>
);

type RefusedRecordsProps = {
  errors: ApiOutputs['compare']['promote']['errors'];
  /** The name of the target sandbox. */
  target: string;
  canLeaveOut: boolean;
  onLeaveOut: () => void;
};

/** Each record that cannot be promoted, with the service's reason. */
const RefusedRecords = ({ errors, target, canLeaveOut, onLeaveOut }: RefusedRecordsProps) => (
  <Alert
    color="red"
    role="alert"
    title={
      errors.length === 1
        ? '1 record cannot be promoted'
        : `${errors.length} records cannot be promoted`
    }
  >
    <ul className={classes.refused}>
      {errors.map(({ record_id, name, error_code, desc }) => (
        <li key={record_id}>
          <strong>
            {name ? (
              <Name name={name} id={record_id} />
            ) : (
              <CopyableId id={record_id} label="record id" short />
            )}
          </strong>
          : {error_code === 'record_not_found' ? describeOnlyIn(target) : desc}
        </li>
      ))}
    </ul>
    {canLeaveOut && (
      <Button variant="default" onClick={onLeaveOut}>
        Leave {errors.length === 1 ? 'it' : 'them'} out
      </Button>
    )}
  </Alert>
);
