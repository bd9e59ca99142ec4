// Asks before something is done that is hard to undo; in production, for the sandbox's name as well.
import { Alert, Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useState } from 'react';
import type { Sandbox } from '../../access/sandboxes.ts';
import { FormError } from '../forms/form-error.tsx';

type ConfirmDialogProps = {
  opened: boolean;
  onClose: () => void;
  /** A question: "Delete 3 Items?" */
  title: string;
  /** What will happen, and whether it can be undone. */
  children: ReactNode;
  /** The verb on the button: "Delete". */
  action: string;
  isDestructive?: boolean;
  /** Where it happens. A protected sandbox demands its typed name, which `onConfirm` receives. */
  sandbox?: Sandbox;
  /** Its error is shown in the dialog, which stays open. */
  onConfirm: (confirmation: { confirm_sandbox_name?: string }) => Promise<unknown>;
};

export const ConfirmDialog = ({ opened, onClose, title, ...question }: ConfirmDialogProps) => (
  <Modal opened={opened} onClose={onClose} title={title}>
    <Question {...question} onClose={onClose} />
  </Modal>
);

const Question = (props: Omit<ConfirmDialogProps, 'opened' | 'title'>) => {
  const { children, action, isDestructive, sandbox, onConfirm, onClose } = props;
  const [name, setName] = useState('');
  const [state, setState] = useState<{ isBusy: boolean; error?: unknown }>({ isBusy: false });
  const needsName = sandbox?.protected === true;
  const isReady = !needsName || name === sandbox.name;
  const confirm = async () => {
    setState({ isBusy: true });
    try {
      await onConfirm(needsName ? { confirm_sandbox_name: name } : {});
      onClose();
    } catch (error) {
      setState({ isBusy: false, error });
    }
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady && !state.isBusy) void confirm();
      }}
    >
      <Stack gap="sm">
        <div>{children}</div>
        {needsName && (
          <Alert color="yellow" title={`${sandbox.name} is protected`}>
            <TextInput
              label={`Type "${sandbox.name}" to confirm`}
              value={name}
              autoComplete="off"
              data-autofocus
              onChange={(event) => setName(event.currentTarget.value)}
            />
          </Alert>
        )}
        <FormError error={state.error} fields={[]} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            color={isDestructive ? 'red' : undefined}
            disabled={!isReady}
            loading={state.isBusy}
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
};
