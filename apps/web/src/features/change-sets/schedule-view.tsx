// What a page shows of a schedule: its moments, and why a step was not done.
import { Alert, Button, Group } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../../api/client.ts';
import { usePermission } from '../../api/me.ts';
import { timeZone } from '../../api/preferences.ts';
import { toInputValue } from '../../ui/format-time.ts';
import { TimeText } from '../../ui/time.tsx';
import type { ChangeSet } from './change-set-queries.ts';
import { CHANGE_SET_KEYS } from './change-set-queries.ts';

/** In the displayed time zone, and in UTC. */
export const Moment = ({ at }: { at: string }) => {
  const zone = timeZone.use();
  return (
    <>
      <TimeText at={at} /> · {toInputValue(at, zone)}
      {zone === 'utc' ? ' UTC' : ` (${toInputValue(at, 'utc')} UTC)`}
    </>
  );
};

/** When a set is applied, and when it is reverted. */
export const Moments = ({ apply_at, return_at }: NonNullable<ChangeSet['schedule']>) => (
  <>
    <TimeText at={apply_at} />
    {return_at !== undefined && (
      <>
        {' → '}
        <TimeText at={return_at} />
      </>
    )}
  </>
);

type Failure = NonNullable<ChangeSet['failure']>;

const NOT_DONE: Record<Failure['step'], string> = {
  apply: 'was not applied',
  return: 'was not reverted',
};

type FailureAlertProps = {
  set: ChangeSet;
  /** Names the set and opens it. */
  title: ReactNode;
  /** Above a page, instead of inside of it. */
  isBanner?: boolean;
};

/** The failure of the last scheduled step, until the reader acknowledges it. */
export const FailureAlert = ({ set, title, isBanner = false }: FailureAlertProps) => {
  const { sandbox_id, change_set_id, failure } = set;
  const mayEdit = usePermission(['sandbox:config:edit'], sandbox_id);
  const { mutate, isPending } = useMutation({
    mutationFn: () => api.changeSets.acknowledge.mutate({ sandbox_id, change_set_id }),
    meta: { invalidates: CHANGE_SET_KEYS },
  });
  if (!failure) return null;
  return (
    <Alert color="red" role="status" {...(isBanner && { radius: 0, py: 6 })}>
      <Group justify="space-between" gap="xs">
        <span className="anywhere">
          {title} {NOT_DONE[failure.step]}. {failure.desc} (<TimeText at={failure.at} />)
        </span>
        {failure.needs_attention && mayEdit && (
          <Button size="compact-sm" variant="default" loading={isPending} onClick={() => mutate()}>
            Acknowledge
          </Button>
        )}
      </Group>
    </Alert>
  );
};
