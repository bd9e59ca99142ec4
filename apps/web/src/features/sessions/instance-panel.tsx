import { Button, Group, NativeSelect, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { HostType, InstanceHealth, JoinStatus } from '@muster/contract';
import { useMutation } from '@tanstack/react-query';
import { api, trpc } from '../../api/client.ts';
import { CopyableId } from '../../ui/copyable.tsx';
import { ConfirmDialog, FormDialog } from '../../ui/dialogs.tsx';
import { Facts } from '../../ui/facts.tsx';
import { useServerForm } from '../../ui/forms.tsx';
import { createUuid } from '../../ui/ids.ts';
import { TimeText } from '../../ui/time.tsx';
import { PlayerLink } from '../players/player-name.tsx';
import classes from './instance-panel.module.css';
import type { Instance, LiveSession, SessionName } from './live-session.ts';
import { nameOf, SESSION_KEYS } from './live-session.ts';
import { HEALTH_LABELS, JOIN_STATUS_LABELS, StateTag } from './session-labels.tsx';
import type { SessionPanelProps } from './session-panels.tsx';
import { Panel } from './session-panels.tsx';

export const InstancePanel = ({ live, mayChange }: SessionPanelProps) => {
  const { instance } = live.session;
  const [isSetting, setting] = useDisclosure(false);
  return (
    <Panel
      title="Instance"
      action={
        mayChange && (
          <Button variant="subtle" size="compact-sm" onClick={setting.open}>
            {instance ? 'Replace' : 'Add'}
          </Button>
        )
      }
    >
      {instance ? (
        <InstanceFacts instance={instance} showsHealth={!mayChange} />
      ) : (
        <p className="hint">No host runs this session yet. Players can still join.</p>
      )}
      {instance && mayChange && <InstanceControls live={live} instance={instance} />}
      {isSetting && <InstanceDialog onClose={setting.close} name={nameOf(live.session)} />}
    </Panel>
  );
};

const HOST_LABELS: Record<string, string> = {
  [HostType.enum.dedicated]: 'Dedicated server',
  [HostType.enum.player]: 'A player',
  [HostType.enum.preallocated]: 'Preallocated server',
};

type InstanceFactsProps = { instance: Instance; showsHealth: boolean };

/** Leaves out the health if it can be changed below. */
const InstanceFacts = ({ instance, showsHealth }: InstanceFactsProps) => (
  <Facts
    className={classes.facts}
    facts={{
      State: <StateTag of="instance" value={instance.join_status} />,
      Health: showsHealth && instance.instance_health && (
        <StateTag of="health" value={instance.instance_health} />
      ),
      Id: <CopyableId id={instance.instance_id} label="instance id" />,
      Host: HOST_LABELS[instance.host_type],
      'Host player': instance.host_player_uuid && (
        <PlayerLink playerUuid={instance.host_player_uuid} />
      ),
      Server: instance.host_dedicated_server_id,
      Version: instance.version,
      Address: instance.join_params?.public_conn_str,
      Map: instance.instance_startup_params?.map,
      Created: <TimeText at={instance.created} />,
    }}
  />
);

type ControlsProps = { live: LiveSession; instance: Instance };

/** Offers only the valid next states. Closing is final, so it requires confirmation. */
const InstanceControls = ({ live, instance }: ControlsProps) => {
  const [isClosing, closing] = useDisclosure(false);
  const name = nameOf(live.session);
  const change = useMutation(
    trpc.sessions.setInstanceStatus.mutationOptions({ meta: { invalidates: SESSION_KEYS } }),
  );
  return (
    <>
      {live.instance_transitions.length > 0 && (
        <Group gap={6} mt={10} role="group" aria-label="Move the instance to">
          <span className="hint" style={{ width: '100%' }}>
            Move to
          </span>
          {live.instance_transitions.map((to) => (
            <Button
              key={to}
              size="compact-sm"
              variant="default"
              c={to === 'closed' ? 'var(--mantine-color-error)' : undefined}
              title={JOIN_STATUS_LABELS[to]?.means}
              loading={change.isPending && change.variables.join_status === to}
              onClick={() =>
                to === 'closed' ? closing.open() : change.mutate({ ...name, join_status: to })
              }
            >
              {JOIN_STATUS_LABELS[to]?.label ?? to}
            </Button>
          ))}
        </Group>
      )}
      <NativeSelect
        mt={10}
        label="Health"
        data={[
          ...(instance.instance_health ? [] : [{ value: '', label: 'Not set' }]),
          ...InstanceHealth.options.map((value) => ({
            value,
            label: HEALTH_LABELS[value]?.label ?? value,
          })),
        ]}
        value={instance.instance_health ?? ''}
        onChange={(event) => {
          const instance_health = InstanceHealth.parse(event.currentTarget.value);
          change.mutate({ ...name, instance_health });
        }}
      />
      <ConfirmDialog
        opened={isClosing}
        onClose={closing.close}
        title="Close this instance?"
        action="Close"
        isDestructive
        onConfirm={() => api.sessions.setInstanceStatus.mutate({ ...name, join_status: 'closed' })}
        invalidates={SESSION_KEYS}
      >
        <Text>
          No one can join until the session has another instance. A closed instance never opens
          again.
        </Text>
      </ConfirmDialog>
    </>
  );
};

type InstanceDialogProps = { onClose: () => void; name: SessionName };

const HOST_CHOICES = [
  { value: 'dedicated', label: 'Dedicated server' },
  { value: 'preallocated', label: 'Preallocated server' },
];
const STATES = JoinStatus.options.map((value) => ({
  value,
  label: `${JOIN_STATUS_LABELS[value]?.label}: ${JOIN_STATUS_LABELS[value]?.means}`,
}));

const InstanceDialog = ({ onClose, name }: InstanceDialogProps) => {
  const server = useServerForm({
    initialValues: {
      instance: {
        instance_id: createUuid(),
        host_type: 'dedicated' as 'dedicated' | 'preallocated',
        join_status: 'joinable' as JoinStatus,
        version: '',
      },
    },
    send: ({ instance: { version, ...instance } }) =>
      api.sessions.setInstance.mutate({
        ...name,
        instance: { ...instance, version: version || undefined },
      }),
    invalidates: SESSION_KEYS,
    onDone: onClose,
  });
  const { form } = server;
  return (
    <FormDialog
      title="Set the instance"
      server={server}
      action="Set the instance"
      onClose={onClose}
    >
      <TextInput
        label="Instance id"
        description="A new id is a new host. It always means this one host."
        {...form.getInputProps('instance.instance_id')}
      />
      <NativeSelect
        label="Host"
        data={HOST_CHOICES}
        {...form.getInputProps('instance.host_type')}
      />
      <NativeSelect label="State" data={STATES} {...form.getInputProps('instance.join_status')} />
      <TextInput
        label="Version"
        description="Clients must match it, by the rule of the session type. Empty: any client."
        placeholder="1.4.2"
        {...form.getInputProps('instance.version')}
      />
    </FormDialog>
  );
};
