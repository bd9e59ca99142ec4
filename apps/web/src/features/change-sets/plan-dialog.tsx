// The dialog that describes a change of many records, and then previews it as a change set.
import { Button, Group, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { Dialog } from '../../ui/dialogs.tsx';
import { FormError, ReasonInput, submitBy } from '../../ui/forms.tsx';
import type { PlannedSet } from './planned-set.ts';
import { SetPreview } from './set-preview.tsx';

type PlanDialogProps = {
  title: string;
  planned: PlannedSet;
  /** Whether the set can have Items and Xp tables. */
  hasKinds?: boolean;
  isReady?: boolean;
  onPreview: (reason: string | undefined) => void;
  /** After the set was applied or submitted. */
  onApplied?: (() => void) | undefined;
  onClose: () => void;
  /** The fields that describe the change. */
  children: ReactNode;
};

export const PlanDialog = (props: PlanDialogProps) => {
  const { title, planned, hasKinds = false, isReady = true, onPreview, onApplied, onClose } = props;
  const [reason, setReason] = useState('');
  const preview = () => {
    if (isReady && !planned.isCreating) onPreview(reason.trim() || undefined);
  };
  const release = (isApplied: boolean) => {
    if (isApplied) onApplied?.();
    planned.release();
    onClose();
  };
  const close = () => {
    planned.discard();
    onClose();
  };
  return (
    <Dialog opened onClose={close} size="xl" title={title}>
      {planned.set ? (
        <SetPreview
          set={planned.set}
          hasKinds={hasKinds}
          back="Back"
          onDiscard={planned.discard}
          onRelease={release}
        />
      ) : (
        <form onSubmit={submitBy(preview)} noValidate>
          <Stack gap="sm">
            <FormError error={planned.error} fields={[]} />
            {props.children}
            <ReasonInput
              description="Shown in the history of each record. Optional."
              value={reason}
              onChange={setReason}
            />
            <Group justify="flex-end" gap="xs">
              <Button variant="default" onClick={close}>
                Cancel
              </Button>
              <Button type="submit" loading={planned.isCreating} disabled={!isReady}>
                Preview
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Dialog>
  );
};
