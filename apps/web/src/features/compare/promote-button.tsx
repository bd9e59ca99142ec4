// Promotes the selected records, or all that differ, as a change set of the target.
import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { PlanDialog } from '../change-sets/plan-dialog.tsx';
import { usePlannedSet } from '../change-sets/planned-set.ts';
import type { Comparison, Entry } from './comparison.ts';
import { countOf, toPair } from './comparison.ts';

type PromoteButtonProps = {
  comparison: Comparison;
  /** Absent: all that only the source has and that differ, or those with the status. */
  ids?: readonly string[];
  status?: Exclude<Entry['status'], 'only_target'> | undefined;
  count: number;
  onDone?: () => void;
};

export const PromoteButton = (props: PromoteButtonProps) => {
  const { ids, count } = props;
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <ActionButton onClick={() => setOpen(true)}>
        Promote {!ids && 'all '}
        {count.toLocaleString('en')} …
      </ActionButton>
      {isOpen && <PromoteDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
};

const PromoteDialog = (props: PromoteButtonProps & { onClose: () => void }) => {
  const { comparison, ids, status, count, onDone, onClose } = props;
  const { target, kind } = comparison;
  const [includesTables, setIncludesTables] = useState(true);
  const planned = usePlannedSet(target.sandbox_id);
  const preview = (reason: string | undefined) =>
    planned.make(() =>
      api.changeSets.promote.mutate({
        ...toPair(comparison),
        ...(ids ? { record_ids: [...ids] } : { status }),
        include_referenced: includesTables,
        reason,
      }),
    );
  return (
    <PlanDialog
      title={`Promote ${countOf(kind, count)} to ${target.name}`}
      planned={planned}
      hasKinds={kind === 'item' && includesTables}
      onPreview={preview}
      onApplied={onDone}
      onClose={onClose}
    >
      {kind === 'item' && (
        <Checkbox
          label="Include Xp tables"
          description={`Xp tables that these Items use and ${target.name} does not have.`}
          checked={includesTables}
          onChange={(event) => setIncludesTables(event.currentTarget.checked)}
        />
      )}
    </PlanDialog>
  );
};
