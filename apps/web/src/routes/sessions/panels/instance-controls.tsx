import { Button, Group, NativeSelect, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { InstanceHealth } from '@muster/contract';
import { useState } from 'react';
import { api } from '../../../api/trpc.ts';
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog.tsx';
import { notifyError } from '../../../components/notify.ts';
import { HEALTH_WORDS, JOIN_STATUS_WORDS } from '../../../features/sessions/session-words.ts';
import type { Instance, LiveSession } from '../live-session.ts';
import { useSessionChange } from '../live-session.ts';
import classes from './panel.module.css';

type ControlsProps = { live: LiveSession; instance: Instance };

/** Offers only the states that the instance may move to. Closing is final, so it is asked for twice. */
export const InstanceControls = ({ live, instance }: ControlsProps) => {
  const [isClosing, closing] = useDisclosure(false);
  const [busy, setBusy] = useState<string | null>(null);
  const change = useSessionChange();
  const name = { type: live.session.type, session_id: live.session.session_id };
  const move = (join_status: Instance['join_status']) =>
    change(api.sessions.setInstanceStatus.mutate({ ...name, join_status }));
  const start = (to: Instance['join_status']) => {
    if (to === 'closed') return closing.open();
    setBusy(to);
    void move(to)
      .catch(notifyError)
      .finally(() => setBusy(null));
  };
  return (
    <>
      {live.instance_transitions.length > 0 && (
        <Group gap={6} mt={10} role="group" aria-label="Move the instance to">
          <span className={classes.hint} style={{ width: '100%' }}>
            Move to
          </span>
          {live.instance_transitions.map((to) => (
            <Button
              key={to}
              size="compact-sm"
              variant="default"
              c={to === 'closed' ? 'var(--mantine-color-error)' : undefined}
              title={JOIN_STATUS_WORDS[to]?.means}
              loading={busy === to}
              onClick={() => start(to)}
            >
              {JOIN_STATUS_WORDS[to]?.label ?? to}
            </Button>
          ))}
        </Group>
      )}
      <NativeSelect
        mt={10}
        label="Health"
        data={[
          ...(instance.instance_health ? [] : [{ value: '', label: 'Not said' }]),
          ...InstanceHealth.options.map((value) => ({
            value,
            label: HEALTH_WORDS[value]?.label ?? value,
          })),
        ]}
        value={instance.instance_health ?? ''}
        onChange={(event) => {
          const instance_health = InstanceHealth.parse(event.currentTarget.value);
          const call = api.sessions.setInstanceStatus.mutate({ ...name, instance_health });
          void change(call).catch(notifyError);
        }}
      />
      <ConfirmDialog
        opened={isClosing}
        onClose={closing.close}
        title="Close this instance?"
        action="Close"
        isDestructive
        onConfirm={() => move('closed')}
      >
        <Text>
          Nobody can join any more until the session has another instance. A closed instance never
          opens again.
        </Text>
      </ConfirmDialog>
    </>
  );
};
