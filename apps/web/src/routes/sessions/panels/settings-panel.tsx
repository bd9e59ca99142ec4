import { Switch } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { usePermission } from '../../../access/me.ts';
import { api } from '../../../api/trpc.ts';
import { CopyableId } from '../../../components/ids/copyable-id.tsx';
import { notifyError } from '../../../components/notify.ts';
import type { LiveSession } from '../live-session.ts';
import { useSessionChange } from '../live-session.ts';
import classes from './panel.module.css';
import { Facts, Panel } from './panel.tsx';

type SettingsPanelProps = { live: LiveSession; isRunning: boolean };

export const SettingsPanel = ({ live: { session, etag }, isRunning }: SettingsPanelProps) => {
  const mayChange = usePermission(['session:*']) && isRunning;
  const custom = Object.entries(session.custom_data ?? {});
  return (
    <Panel title="Session">
      {mayChange && <JoinableSwitch session={session} />}
      <Facts
        facts={[
          [
            'Open to',
            mayChange ? undefined : session.joinable ? 'Everyone' : 'Invited players only',
          ],
          ['Region', session.region_id],
          ['Matchmaking', session.matchmaking && 'Searching'],
          ['ETag', <CopyableId key="etag" id={etag} label="ETag" />],
        ]}
      />
      {custom.length > 0 && (
        <details>
          <summary className={classes.hint}>Custom data ({custom.length})</summary>
          <Facts facts={custom} />
        </details>
      )}
    </Panel>
  );
};

/** Shows the wish while it is under way, and the truth when it is refused. */
const JoinableSwitch = ({ session }: Pick<LiveSession, 'session'>) => {
  const change = useSessionChange();
  const name = { type: session.type, session_id: session.session_id };
  const { mutate, isPending, variables } = useMutation({
    mutationFn: (joinable: boolean) => change(api.sessions.update.mutate({ ...name, joinable })),
    onError: (error) => notifyError(error),
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
