import { Alert, Button } from '@mantine/core';
import type { ApiOutputs } from '../../api/trpc.ts';
import { CopyableId } from '../../components/ids/copyable-id.tsx';
import classes from './compare-sandboxes.module.css';

type RefusedRecordsProps = {
  errors: ApiOutputs['compare']['promote']['errors'];
  canLeaveOut: boolean;
  onLeaveOut: () => void;
};

/** Each record that cannot come, with the service's reason in full. */
export const RefusedRecords = ({ errors, canLeaveOut, onLeaveOut }: RefusedRecordsProps) => (
  <Alert
    color="red"
    role="alert"
    title={errors.length === 1 ? '1 record cannot come' : `${errors.length} records cannot come`}
  >
    <ul className={classes.refused}>
      {errors.map(({ record_id, name, desc }) => (
        <li key={record_id}>
          <strong>{name ?? <CopyableId id={record_id} label="record id" short />}</strong>: {desc}
        </li>
      ))}
    </ul>
    {canLeaveOut && (
      <Button variant="default" onClick={onLeaveOut}>
        Leave {errors.length === 1 ? 'it' : 'them'} out
      </Button>
    )}
  </Alert>
);
