import { ActionIcon, Box, Button, Flex, Group, Switch, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useId, useState } from 'react';
import { api } from '../../api/client.ts';
import { CopyableId } from '../../ui/copyable.tsx';
import { ConfirmDialog, FormDialog } from '../../ui/dialogs.tsx';
import { Facts } from '../../ui/facts.tsx';
import { useServerForm } from '../../ui/forms.tsx';
import { Icon } from '../../ui/icons.tsx';
import classes from './instance-panel.module.css';
import type { LiveSession, SessionName } from './live-session.ts';
import { nameOf, SESSION_KEYS } from './live-session.ts';
import { newPlatformSession, PlatformSessionFields } from './platform-session-fields.tsx';

export type SessionPanelProps = { live: LiveSession; mayChange: boolean };

export const SettingsPanel = ({ live: { session, etag }, mayChange }: SessionPanelProps) => {
  const custom = session.custom_data ?? {};
  const customCount = Object.keys(custom).length;
  return (
    <Panel title="Session">
      {mayChange && <JoinableSwitch session={session} />}
      <Facts
        className={classes.facts}
        facts={{
          'Open to': !mayChange && (session.joinable ? 'Everyone' : 'Invited players only'),
          Region: session.region_id,
          Matchmaking: session.matchmaking && 'Searching',
          ETag: <CopyableId id={etag} label="ETag" />,
        }}
      />
      {customCount > 0 && (
        <details>
          <summary className="hint">Custom data ({customCount})</summary>
          <Facts className={classes.facts} facts={custom} />
        </details>
      )}
    </Panel>
  );
};

/** Shows the requested state while the request runs, and the stored state if it is rejected. */
const JoinableSwitch = ({ session }: Pick<LiveSession, 'session'>) => {
  const name = nameOf(session);
  const { mutate, isPending, variables } = useMutation({
    mutationFn: (joinable: boolean) => api.sessions.update.mutate({ ...name, joinable }),
    meta: { invalidates: SESSION_KEYS },
  });
  return (
    <Switch
      mb={8}
      label="Open to everyone"
      description="Off: only players with a seat, an invitation or a reservation."
      checked={isPending ? variables : session.joinable}
      onChange={(event) => mutate(event.currentTarget.checked)}
    />
  );
};

type Child = LiveSession['session']['platform_session'][number];

export const PlatformSessionsPanel = ({ live: { session }, mayChange }: SessionPanelProps) => {
  const [isAttaching, attaching] = useDisclosure(false);
  const [removed, setRemoved] = useState<Child | null>(null);
  const name = nameOf(session);
  return (
    <Panel
      title="Platform sessions"
      action={
        mayChange && (
          <Button variant="subtle" size="compact-sm" onClick={attaching.open}>
            Attach
          </Button>
        )
      }
    >
      {session.platform_session.length === 0 && (
        <p className="hint">None: without one, no player can join.</p>
      )}
      <Flex component="ul" className="plain" direction="column" gap={8}>
        {session.platform_session.map((child) => (
          <Flex
            component="li"
            key={`${child.platform} ${child.platform_session_id_base64}`}
            align="center"
            gap={8}
          >
            <Box flex={1} miw={0}>
              <Flex component="span" wrap="wrap" align="center" gap="0 8px">
                <strong>{child.platform}</strong>
                <span className="hint">{child.platform_session_type}</span>
              </Flex>
              <CopyableId id={child.platform_session_id_base64} label="platform session id" />
            </Box>
            {mayChange && (
              <ActionIcon
                aria-label={`Remove the platform session of ${child.platform}`}
                onClick={() => setRemoved(child)}
              >
                <Icon name="x" size={16} />
              </ActionIcon>
            )}
          </Flex>
        ))}
      </Flex>
      {isAttaching && <AttachDialog onClose={attaching.close} name={name} />}
      <ConfirmDialog
        opened={removed !== null}
        onClose={() => setRemoved(null)}
        title={`Remove the platform session of ${removed?.platform}?`}
        action="Remove"
        isDestructive
        onConfirm={() => {
          const { platform, platform_session_id_base64 } = removed as Child;
          const child = { platform, platform_session_id_base64 };
          return api.sessions.removePlatformSession.mutate({ ...name, ...child });
        }}
        invalidates={SESSION_KEYS}
      >
        <Text>Players can no longer join through it. Players who are seated keep their seats.</Text>
      </ConfirmDialog>
    </Panel>
  );
};

type AttachDialogProps = { onClose: () => void; name: SessionName };

const AttachDialog = ({ onClose, name }: AttachDialogProps) => {
  const server = useServerForm({
    initialValues: newPlatformSession(),
    send: (values) => api.sessions.addPlatformSession.mutate({ ...name, ...values }),
    invalidates: SESSION_KEYS,
    onDone: onClose,
  });
  const { form } = server;
  return (
    <FormDialog title="Attach a platform session" server={server} action="Attach" onClose={onClose}>
      <PlatformSessionFields form={form} />
    </FormDialog>
  );
};

type PanelProps = { title: string; action?: ReactNode; children: ReactNode };

/** A panel beside the board. */
export const Panel = ({ title, action, children }: PanelProps) => {
  const heading = useId();
  return (
    <Box
      component="section"
      className="raised"
      p="10px 14px 12px"
      bdrs={8}
      aria-labelledby={heading}
    >
      <Group justify="space-between" wrap="nowrap" gap={8} mih={28} mb={6}>
        <Title order={2} id={heading}>
          {title}
        </Title>
        {action}
      </Group>
      {children}
    </Box>
  );
};
