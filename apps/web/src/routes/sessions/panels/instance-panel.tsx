import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { usePermission } from '../../../access/me.ts';
import { InstanceDialog } from '../dialogs/instance-dialog.tsx';
import type { LiveSession } from '../live-session.ts';
import { InstanceControls } from './instance-controls.tsx';
import { InstanceFacts } from './instance-facts.tsx';
import classes from './panel.module.css';
import { Panel } from './panel.tsx';

type InstancePanelProps = { live: LiveSession; isRunning: boolean };

export const InstancePanel = ({ live, isRunning }: InstancePanelProps) => {
  const { instance, type, session_id } = live.session;
  const mayChange = usePermission(['session:*']) && isRunning;
  const [isSetting, setting] = useDisclosure(false);
  const name = { type, session_id };
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
        <p className={classes.hint}>
          No host runs this session yet. Players can join all the same.
        </p>
      )}
      {instance && mayChange && <InstanceControls live={live} instance={instance} />}
      <InstanceDialog opened={isSetting} onClose={setting.close} name={name} />
    </Panel>
  );
};
