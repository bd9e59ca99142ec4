import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import type { Sandbox } from '../../api/sandboxes.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import type { ChangeSet } from './change-set-queries.ts';
import { CHANGE_SET_KEYS } from './change-set-queries.ts';
import { ScheduleDialog } from './schedule-dialog.tsx';

const EDIT = ['sandbox:config:edit'] as const;

type ScheduleButtonProps = { set: ChangeSet; sandbox: Sandbox; reason?: string | false };

/** Opens the dialog that schedules a set, or changes its schedule. */
export const ScheduleButton = ({ set, sandbox, reason = false }: ScheduleButtonProps) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <ActionButton
        variant="default"
        anyOf={EDIT}
        sandbox={set.sandbox_id}
        reason={reason}
        onClick={() => setOpen(true)}
      >
        {set.state === 'scheduled' ? 'Reschedule …' : 'Schedule …'}
      </ActionButton>
      {isOpen && <ScheduleDialog set={set} sandbox={sandbox} onClose={() => setOpen(false)} />}
    </>
  );
};

/** A scheduled set becomes a draft; an applied one stays applied. */
export const UnscheduleButton = ({ set }: { set: ChangeSet }) => {
  const { sandbox_id, change_set_id, revision: expected_revision } = set;
  const { mutate, isPending } = useMutation({
    mutationFn: () =>
      api.changeSets.unschedule.mutate({ sandbox_id, change_set_id, expected_revision }),
    meta: { invalidates: CHANGE_SET_KEYS },
  });
  return (
    <ActionButton
      variant="default"
      anyOf={EDIT}
      sandbox={sandbox_id}
      loading={isPending}
      onClick={() => mutate()}
    >
      {set.state === 'scheduled' ? 'Cancel schedule' : 'Cancel the revert'}
    </ActionButton>
  );
};
