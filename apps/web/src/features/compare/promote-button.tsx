// Promotes the selected records, or all that differ, as a change set of the target.
import { Button, Checkbox, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { Dialog } from '../../ui/dialogs.tsx';
import { FormError, ReasonInput, submitBy } from '../../ui/forms.tsx';
import { usePlannedSet } from '../change-sets/planned-set.ts';
import { SetPreview } from '../change-sets/set-preview.tsx';
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
  const [reason, setReason] = useState('');
  const planned = usePlannedSet(target.sandbox_id);
  const preview = () =>
    planned.make(() =>
      api.changeSets.promote.mutate({
        ...toPair(comparison),
        ...(ids ? { record_ids: [...ids] } : { status }),
        include_referenced: includesTables,
        reason: reason.trim() || undefined,
      }),
    );
  const release = (isApplied: boolean) => {
    if (isApplied) onDone?.();
    planned.release();
    onClose();
  };
  const close = () => {
    planned.discard();
    onClose();
  };
  const title = `Promote ${countOf(kind, count)} to ${target.name}`;
  return (
    <Dialog opened onClose={close} size="xl" title={title}>
      {planned.set ? (
        <SetPreview
          set={planned.set}
          hasKinds={kind === 'item' && includesTables}
          back="Back"
          onDiscard={planned.discard}
          onRelease={release}
        />
      ) : (
        <form onSubmit={submitBy(preview)}>
          <Stack gap="sm">
            <FormError error={planned.error} fields={[]} />
            {kind === 'item' && (
              <Checkbox
                label="Include Xp tables"
                description={`Xp tables that these Items use and ${target.name} does not have.`}
                checked={includesTables}
                onChange={(event) => setIncludesTables(event.currentTarget.checked)}
              />
            )}
            <ReasonInput
              description="Shown in the history of each record. Optional."
              value={reason}
              onChange={setReason}
            />
            <Group justify="flex-end" gap="xs">
              <Button variant="default" onClick={close}>
                Cancel
              </Button>
              <Button type="submit" loading={planned.isCreating}>
                Preview
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Dialog>
  );
};
