import { Alert, TextInput } from '@mantine/core';
import { isSameName } from '@muster/contract';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { toApiError } from '../../api/errors.ts';
import { timeZone } from '../../api/preferences.ts';
import type { Sandbox } from '../../api/sandboxes.ts';
import { FormDialog } from '../../ui/dialogs.tsx';
import { DayPicker } from '../../ui/filters.tsx';
import { toInputValue, toInstant } from '../../ui/format-time.ts';
import { useServerForm } from '../../ui/forms.tsx';
import type { ChangeSet } from './change-set-queries.ts';
import { CHANGE_SET_KEYS } from './change-set-queries.ts';

type ScheduleDialogProps = { set: ChangeSet; sandbox: Sandbox; onClose: () => void };

const EXAMPLE = 'For example 2026-11-27 18:00';

/** Two moments, typed in the displayed time zone: when the set is applied, and optionally when it is reverted. */
export const ScheduleDialog = ({ set, sandbox, onClose }: ScheduleDialogProps) => {
  const zone = timeZone.use();
  const [needsName, setNeedsName] = useState(false);
  const { sandbox_id, change_set_id, revision: expected_revision, schedule } = set;
  const show = (at: string | undefined) => (at === undefined ? '' : toInputValue(at, zone));
  const server = useServerForm({
    initialValues: {
      apply_at: show(schedule?.apply_at),
      return_at: show(schedule?.return_at),
      confirm_sandbox_name: '',
    },
    validate: {
      apply_at: (typed) => (toInstant(typed, zone) === undefined ? EXAMPLE : null),
      return_at: (typed) =>
        typed.trim() !== '' && toInstant(typed, zone) === undefined ? EXAMPLE : null,
      confirm_sandbox_name: (typed) =>
        needsName && !isSameName(typed, sandbox.name) ? `Type "${sandbox.name}" to confirm.` : null,
    },
    send: ({ apply_at, return_at, confirm_sandbox_name }) =>
      api.changeSets.schedule
        .mutate({
          sandbox_id,
          change_set_id,
          expected_revision,
          apply_at: toInstant(apply_at, zone) ?? '',
          return_at: toInstant(return_at, zone),
          ...(needsName && { confirm_sandbox_name }),
        })
        .catch((error: unknown) => {
          if (toApiError(error).code === 'sandbox_confirmation_required') setNeedsName(true);
          throw error;
        }),
    invalidates: CHANGE_SET_KEYS,
    done: `Scheduled "${set.title}".`,
    onDone: onClose,
  });
  const moment = (name: 'apply_at' | 'return_at', label: string, hint: string) => {
    const typed = server.form.getValues()[name];
    const instant = zone === 'utc' ? undefined : toInstant(typed, zone);
    return (
      <TextInput
        label={zone === 'utc' ? `${label} (UTC)` : label}
        description={instant === undefined ? hint : `${toInputValue(instant, 'utc')} UTC`}
        placeholder="YYYY-MM-DD hh:mm"
        maxLength={19}
        autoComplete="off"
        rightSection={
          <DayPicker
            label={label}
            typed={typed}
            onPick={(value) => server.form.setFieldValue(name, value)}
          />
        }
        {...server.form.getInputProps(name)}
      />
    );
  };
  return (
    <FormDialog
      title={`Schedule "${set.title}"`}
      server={server}
      action="Schedule"
      onClose={onClose}
    >
      {moment('apply_at', 'Apply at', 'All changes are applied as one edit at this time.')}
      {moment('return_at', 'Revert at', 'Optional. Later changes of other fields are kept.')}
      {needsName && (
        <Alert color="yellow" title={`${sandbox.name} is protected`}>
          <TextInput
            label={`Type "${sandbox.name}" to confirm`}
            autoComplete="off"
            {...server.form.getInputProps('confirm_sandbox_name')}
          />
        </Alert>
      )}
      <p className="hint">
        Your account must still be allowed to edit {sandbox.name} at that time. After more than 15
        minutes of downtime, nothing is applied.
      </p>
    </FormDialog>
  );
};
