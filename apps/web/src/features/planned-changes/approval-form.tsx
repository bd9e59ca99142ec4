// The last step of a plan: the reason and the button that applies it. A protected sandbox also requires its name.

import { Flex, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useState } from 'react';
import type { Sandbox } from '../../api/sandboxes.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { useCommand } from '../../ui/commands.ts';
import { ConfirmDialog } from '../../ui/dialogs.tsx';
import { submitBy } from '../../ui/forms.tsx';

export type Approval = { reason: string | undefined; confirm_sandbox_name?: string };

type ApprovalFormProps = {
  /** The sandbox that the plan changes. */
  sandbox: Sandbox;
  /** The label of the button: "Apply 3 changes". */
  action: string;
  /** The sandbox is protected: requires its name and the permission to administer it. */
  isGuarded: boolean;
  /** Asks for confirmation even if no name is required. */
  isDestructive: boolean;
  /** The reason why the plan cannot be applied now. */
  obstacle?: string | false;
  isBusy?: boolean;
  /** The text of the dialog: what will happen, and whether it can be undone. */
  children: ReactNode;
  onApply: (approval: Approval) => void;
};

export const ApprovalForm = (props: ApprovalFormProps) => {
  const { sandbox, action, isGuarded, isDestructive, obstacle, isBusy, children, onApply } = props;
  const [reason, setReason] = useState('');
  const [isAsking, setAsking] = useState(false);
  const apply = (confirmation: { confirm_sandbox_name?: string } = {}) =>
    onApply({ reason: reason.trim() || undefined, ...confirmation });
  const start = () => {
    if (obstacle || isBusy) return;
    if (isGuarded || isDestructive) setAsking(true);
    else apply();
  };
  useCommand({ label: action, keys: 'mod+s', run: start });
  return (
    <Flex component="form" wrap="wrap" gap="sm" align="flex-end" onSubmit={submitBy(start)}>
      <TextInput
        flex="1 1 18rem"
        maw="36rem"
        label="Reason"
        description="Shown in the history of each record. Optional."
        maxLength={1000}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <ActionButton
        type="submit"
        anyOf={isGuarded ? ['sandbox:*'] : ['sandbox:config:edit']}
        sandbox={sandbox.sandbox_id}
        reason={obstacle}
        loading={isBusy}
      >
        {action}
      </ActionButton>
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={`Write into ${sandbox.name}?`}
        action={action}
        isDestructive={isDestructive}
        sandbox={isGuarded ? sandbox : undefined}
        onConfirm={async (confirmation) => apply(confirmation)}
      >
        {children}
      </ConfirmDialog>
    </Flex>
  );
};
