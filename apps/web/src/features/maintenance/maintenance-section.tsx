// Switches maintenance, for owners.
import { Button, Group, NumberInput, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiOutputs } from '../../api/client.ts';
import { api } from '../../api/client.ts';
import { maintenanceOptions } from '../../api/maintenance.ts';
import { usePermission } from '../../api/me.ts';
import { ConfirmDialog, FormDialog } from '../../ui/dialogs.tsx';
import { useServerForm } from '../../ui/forms.tsx';
import { SettingsSection } from '../../ui/page.tsx';
import { QueryState } from '../../ui/states.tsx';
import { TimeText } from '../../ui/time.tsx';

const KEYS = [maintenanceOptions.queryKey];

/** Nothing for everyone but owners. */
export const MaintenanceSection = () => {
  const isOwner = usePermission(['*']);
  return isOwner ? <OwnersSection /> : null;
};

const OwnersSection = () => {
  const query = useQuery(maintenanceOptions);
  const [dialog, setDialog] = useState<'on' | 'off' | null>(null);
  const close = () => setDialog(null);
  return (
    <SettingsSection
      title="Maintenance"
      description="During maintenance the service refuses joins and changes. You can still sign in and read every page."
    >
      <QueryState query={query}>
        {(state) => (
          <Group justify="space-between">
            <StateText state={state} />
            <Button variant="default" onClick={() => setDialog(state.enabled ? 'off' : 'on')}>
              {state.enabled ? 'End maintenance' : 'Start maintenance'}
            </Button>
          </Group>
        )}
      </QueryState>
      {dialog === 'on' && <StartDialog onClose={close} />}
      <ConfirmDialog
        opened={dialog === 'off'}
        onClose={close}
        title="End maintenance?"
        action="End maintenance"
        onConfirm={() => api.maintenance.set.mutate({ enabled: false })}
        invalidates={KEYS}
        done="Maintenance has ended."
      >
        Every process accepts joins and changes again within three seconds.
      </ConfirmDialog>
    </SettingsSection>
  );
};

const StateText = ({ state }: { state: ApiOutputs['maintenance']['get'] }) => {
  if (!state.enabled) return <Text size="sm">Off</Text>;
  const { since = '', reason, retry_after_seconds } = state;
  return (
    <Text size="sm">
      On since <TimeText at={since} />
      {reason !== undefined && `: ${reason}`}. Clients may try again after {retry_after_seconds}{' '}
      seconds or later.
    </Text>
  );
};

const StartDialog = ({ onClose }: { onClose: () => void }) => {
  const server = useServerForm({
    initialValues: { reason: '', retry_after_seconds: 60 },
    send: ({ reason, retry_after_seconds }) =>
      api.maintenance.set.mutate({
        enabled: true,
        reason: reason.trim() || undefined,
        retry_after_seconds,
      }),
    invalidates: KEYS,
    done: 'Maintenance has started.',
    onDone: onClose,
  });
  const { form } = server;
  return (
    <FormDialog
      title="Start maintenance?"
      server={server}
      action="Start maintenance"
      onClose={onClose}
    >
      <Stack gap="sm">
        <Text size="sm">
          Players cannot join, and nobody can change sessions, records or accounts, until an owner
          ends it.
        </Text>
        <TextInput
          data-autofocus
          label="Reason"
          description="Shown on every page and in the audit trail, not to players. Optional."
          maxLength={1000}
          {...form.getInputProps('reason')}
        />
        <NumberInput
          label="Retry after"
          description="Clients try again after this many seconds or later."
          min={1}
          max={3600}
          allowDecimal={false}
          suffix=" s"
          {...form.getInputProps('retry_after_seconds')}
        />
      </Stack>
    </FormDialog>
  );
};
