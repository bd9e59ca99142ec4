import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { trpc } from '../../api/trpc.ts';
import { toTryItTarget } from './try-it-target.ts';

type Target = { platform: string; id: string };
type ChosenTarget = Target & { team: number; version: string | undefined };

type SessionPickerProps = {
  value: Target;
  onChoose: (target: ChosenTarget) => void;
};

const keyOf = ({ platform, id }: Target): string => `${platform} ${id}`;

/** The newest running sessions that players can join through a platform session. */
const MOST_LISTED = 100;

export const SessionPicker = ({ value, onChoose }: SessionPickerProps) => {
  const { data } = useQuery(trpc.sessions.list.queryOptions({ page_size: MOST_LISTED }));
  const targets = (data?.sessions ?? []).flatMap(({ session, seats, capacity }) =>
    session.platform_session.map((child) => ({
      ...toTryItTarget(session, child),
      label: `${session.type} · ${session.session_id} · ${child.platform} · ${seats} of ${capacity}`,
    })),
  );
  const known = new Map(targets.map((target) => [keyOf(target), target]));
  return (
    <Select
      label="Session"
      description="Fills in the platform session. The newest running sessions are listed."
      placeholder={
        data && targets.length === 0 ? 'No session can be joined now' : 'Choose a session'
      }
      searchable
      data={[...known].map(([key, { label }]) => ({ value: key, label }))}
      value={known.has(keyOf(value)) ? keyOf(value) : null}
      onChange={(key) => {
        const target = known.get(key ?? '');
        if (target) onChoose(target);
      }}
    />
  );
};
