import { Alert, Checkbox, Group } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { Facts } from '../../ui/facts.tsx';
import { useFirstPage, usePagedRows } from '../../ui/table/paged-rows.ts';
import { TimeText } from '../../ui/time.tsx';
import { AccountName } from '../accounts/account-name.tsx';
import type { PlannedChange } from '../planned-changes/planned-change.ts';
import { PlannedList } from '../planned-changes/planned-list.tsx';
import type { ChangeSet } from './change-set-queries.ts';
import { CHANGE_SET_KEYS } from './change-set-queries.ts';

import type { ReviewedChangeSet } from './review-queries.ts';
import { OPEN_STATES, previewOptions } from './review-queries.ts';
import { ReviewSection } from './review-section.tsx';
import { FailureAlert, Moment } from './schedule-view.tsx';

export const ChangeSetContent = ({ set }: { set: ReviewedChangeSet }) => (
  <div className="column">
    {!set.failure?.needs_attention && <FailureAlert set={set} title="The change set" />}
    <ChangeSetFacts set={set} />
    {OPEN_STATES.includes(set.state) ? <ChangeSetPreview set={set} /> : <Applied set={set} />}
    <ReviewSection set={set} />
  </div>
);

const ChangeSetFacts = ({ set }: { set: ChangeSet }) => {
  const { sandbox_id: sandbox, reverts_transaction_id: reverted } = set;
  const { applied, schedule, state } = set;
  return (
    <Facts
      facts={{
        Reason: set.reason,
        Author: <AccountName id={set.author_id} />,
        Created: <TimeText at={set.created} />,
        Reverts: reverted && (
          <Link to="/s/$sandbox/history" params={{ sandbox }} search={{ edit: reverted }}>
            An edit in the history
          </Link>
        ),
        Applied: applied && (
          <>
            <TimeText at={applied.at} /> by <AccountName id={applied.account_id} />
          </>
        ),
        Applies: schedule && !applied && <Moment at={schedule.apply_at} />,
        'Reverts at': state !== 'reverted' && schedule?.return_at && (
          <Moment at={schedule.return_at} />
        ),
        'Scheduled by': schedule && <AccountName id={schedule.account_id} />,
        'Reverted by': set.reverted_by_set_id && (
          <Link to="/s/$sandbox/change-sets/$id" params={{ sandbox, id: set.reverted_by_set_id }}>
            Another change set
          </Link>
        ),
      }}
    />
  );
};

type ChangeSetPreviewProps = {
  set: ChangeSet;
  /** False for a set whose records are of one kind. */
  hasKinds?: boolean;
  isInDialog?: boolean;
};

/** What a draft would change now, and the problems that prevent it. */
export const ChangeSetPreview = (props: ChangeSetPreviewProps) => {
  const { set, hasKinds = true, isInDialog = false } = props;
  const [showsAll, setShowsAll] = useState(false);
  const [showsWarned, setShowsWarned] = useState(false);
  const all = useFirstPage(previewOptions(set, undefined));
  const { problems = 0, warnings = 0 } = all?.counts ?? {};
  // Problems come first: a set that has one cannot be applied.
  const canFilterWarned = problems === 0 && warnings > 0;
  const onlyProblems = problems > 0 && !showsAll ? 'problems' : undefined;
  const only = canFilterWarned && showsWarned ? 'warnings' : onlyProblems;
  const rows = usePagedRows(previewOptions(set, only));
  return (
    <section aria-label="Changes">
      {problems > 0 && (
        <Alert color="red" mb="sm" title={describeProblems(problems)}>
          <Group gap="sm">
            <Checkbox
              label="Show all changes"
              checked={showsAll}
              onChange={(event) => setShowsAll(event.currentTarget.checked)}
            />
            <LeaveOutButton set={set} rows={rows.rows} />
          </Group>
        </Alert>
      )}
      {warnings > 0 && (
        <Alert color="yellow" mb="sm" title={describeWarnings(warnings)}>
          {canFilterWarned && (
            <Checkbox
              label="Show only these"
              checked={showsWarned}
              onChange={(event) => setShowsWarned(event.currentTarget.checked)}
            />
          )}
        </Alert>
      )}
      <PlannedList rows={rows} hasKinds={hasKinds} hasProblems isInDialog={isInDialog} />
    </section>
  );
};

type LeaveOutButtonProps = { set: ChangeSet; rows: readonly PlannedChange[] };

/** Removes all operations that cannot be computed, and those of the loaded pages that have another problem. */
const LeaveOutButton = ({ set, rows }: LeaveOutButtonProps) => {
  const { sandbox_id, change_set_id, revision } = set;
  const refused = rows.filter(({ problem }) => problem !== undefined);
  const records = refused.flatMap(({ kind = 'item', record_id, problem }) =>
    problem?.not_computable ? [] : [{ kind, record_id }],
  );
  const removing = useMutation({
    mutationFn: () =>
      api.changeSets.removeOperations.mutate({
        sandbox_id,
        change_set_id,
        expected_revision: revision,
        ...(records.length > 0 && { records: records.slice(0, MAX_REMOVED) }),
        ...(records.length < refused.length && { not_computable: true }),
      }),
    meta: { invalidates: CHANGE_SET_KEYS },
  });
  return (
    <ActionButton
      variant="default"
      size="compact-sm"
      anyOf={['sandbox:config:edit']}
      sandbox={sandbox_id}
      loading={removing.isPending}
      // The list of problems may still be loading.
      disabled={refused.length === 0}
      onClick={() => removing.mutate()}
    >
      Leave these out
    </ActionButton>
  );
};

/** In one call. */
const MAX_REMOVED = 1_000;

const describeProblems = (problems: number): string =>
  problems === 1
    ? '1 change cannot be applied'
    : `${problems.toLocaleString('en')} changes cannot be applied`;

const describeWarnings = (warnings: number): string =>
  warnings === 1
    ? '1 change has a warning'
    : `${warnings.toLocaleString('en')} changes have warnings`;

const Applied = ({ set: { sandbox_id: sandbox, state, applied } }: { set: ChangeSet }) => {
  const transaction = applied?.transaction_id;
  if (state === 'cancelled') return <p>This change set was cancelled. No record was changed.</p>;
  if (transaction === undefined) return <p>No record had to be changed.</p>;
  return (
    <p>
      <Link to="/s/$sandbox/history" params={{ sandbox }} search={{ edit: transaction }}>
        Show the edit in the history
      </Link>
    </p>
  );
};
