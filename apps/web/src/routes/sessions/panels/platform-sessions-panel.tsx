import { ActionIcon, Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconX } from '@tabler/icons-react';
import { useState } from 'react';
import { usePermission } from '../../../access/me.ts';
import { api } from '../../../api/trpc.ts';
import { ConfirmDialog } from '../../../components/dialogs/confirm-dialog.tsx';
import { CopyableId } from '../../../components/ids/copyable-id.tsx';
import { AttachDialog } from '../dialogs/attach-dialog.tsx';
import type { LiveSession } from '../live-session.ts';
import { useSessionChange } from '../live-session.ts';
import classes from './panel.module.css';
import { Panel } from './panel.tsx';

type PlatformSessionsPanelProps = { live: LiveSession; isRunning: boolean };
type Child = LiveSession['session']['platform_session'][number];

export const PlatformSessionsPanel = ({ live, isRunning }: PlatformSessionsPanelProps) => {
  const { session } = live;
  const mayChange = usePermission(['session:*']) && isRunning;
  const [isAttaching, attaching] = useDisclosure(false);
  const [removed, setRemoved] = useState<Child | null>(null);
  const change = useSessionChange();
  const name = { type: session.type, session_id: session.session_id };
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
        <p className={classes.hint}>None: without one, no player can join.</p>
      )}
      <ul className={classes.children}>
        {session.platform_session.map((child) => (
          <li
            key={`${child.platform} ${child.platform_session_id_base64}`}
            className={classes.child}
          >
            <div>
              <span className={classes.childName}>
                <strong>{child.platform}</strong>
                <span className={classes.hint}>{child.platform_session_type}</span>
              </span>
              <CopyableId id={child.platform_session_id_base64} label="platform session id" />
            </div>
            {mayChange && (
              <ActionIcon
                aria-label={`Remove the platform session of ${child.platform}`}
                onClick={() => setRemoved(child)}
              >
                <IconX size={16} aria-hidden />
              </ActionIcon>
            )}
          </li>
        ))}
      </ul>
      <AttachDialog opened={isAttaching} onClose={attaching.close} name={name} />
      <ConfirmDialog
        opened={removed !== null}
        onClose={() => setRemoved(null)}
        title={`Remove the platform session of ${removed?.platform}?`}
        action="Remove"
        isDestructive
        onConfirm={() => {
          const { platform, platform_session_id_base64 } = removed as Child;
          const child = { platform, platform_session_id_base64 };
          return change(api.sessions.removePlatformSession.mutate({ ...name, ...child }));
        }}
      >
        <Text>Players cannot join through it any more. Those who are here keep their seats.</Text>
      </ConfirmDialog>
    </Panel>
  );
};
