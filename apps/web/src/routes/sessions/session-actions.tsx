import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Link } from '@tanstack/react-router';
import { usePermission } from '../../access/me.ts';
import { api } from '../../api/trpc.ts';
import { ConfirmDialog } from '../../components/dialogs/confirm-dialog.tsx';
import type { LiveSession } from './live-session.ts';
import { useSessionChange } from './live-session.ts';
import { toTryItTarget } from './try-it-target.ts';

/** What can be done with the session as a whole. */
export const SessionActions = ({ live: { session } }: { live: LiveSession }) => {
  const [isAsking, asking] = useDisclosure(false);
  const mayTry = usePermission(['session:*', 'session:update-player:any']);
  const mayEnd = usePermission(['session:*']);
  const change = useSessionChange();
  const [child] = session.platform_session;
  const name = { type: session.type, session_id: session.session_id };
  const search = child && toTryItTarget(session, child);
  const seats = session.teams.reduce((sum, { players }) => sum + players.length, 0);
  return (
    <>
      {mayTry && child && (
        <Button
          variant="default"
          renderRoot={(props) => <Link to="/sessions/try-it" search={search ?? {}} {...props} />}
        >
          Try a join
        </Button>
      )}
      {mayEnd && (
        <Button variant="default" c="var(--mantine-color-error)" onClick={asking.open}>
          End session
        </Button>
      )}
      <ConfirmDialog
        opened={isAsking}
        onClose={asking.close}
        title="End this session?"
        action="End session"
        isDestructive
        onConfirm={() => change(api.sessions.end.mutate(name))}
      >
        <Text>
          {seats === 0 ? 'Nobody is in it.' : `${seats} taken or held seats go with it.`} Its
          platform sessions become free, and nobody can join any more. This cannot be undone; the
          timeline stays.
        </Text>
      </ConfirmDialog>
    </>
  );
};
