import { Group } from '@mantine/core';
import { RevertButton } from './revert-button.tsx';

type UndoableProps = {
  /** What was done, in one sentence. */
  message: string;
  sandbox: string;
  /** Absent if nothing was written. */
  transactionId: string | undefined;
};

/** The text of a notification about an edit of many records, with a button that undoes it. */
export const Undoable = ({ message, sandbox, transactionId }: UndoableProps) => (
  <Group gap="xs">
    {message}
    {transactionId !== undefined && (
      <RevertButton sandbox={sandbox} transactionId={transactionId} label="Undo …" isSmall />
    )}
  </Group>
);
