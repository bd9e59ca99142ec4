// How many people have to approve a change in a sandbox before it is written.
import { Alert, NativeSelect, TextInput } from '@mantine/core';
import { isSameName } from '@muster/contract';
import { api } from '../../api/client.ts';
import type { Sandbox } from '../../api/sandboxes.ts';
import { SANDBOXES_KEY } from '../../api/sandboxes.ts';
import { FormDialog } from '../../ui/dialogs.tsx';
import { useServerForm } from '../../ui/forms.tsx';

const CHOICES = [
  { value: '0', label: 'None: changes are written at once' },
  { value: '1', label: 'One: another person approves' },
  { value: '2', label: 'Two: two other people approve' },
];

type ApprovalsFieldProps = { value?: string; onChange: (value: string) => void };

export const ApprovalsField = ({ onChange, ...field }: ApprovalsFieldProps) => (
  <NativeSelect
    label="Required approvals"
    description="For every change to its Items and Xp tables, including changes by API keys."
    data={CHOICES}
    {...field}
    onChange={(event) => onChange(event.currentTarget.value)}
  />
);

export const describeApprovals = (required: number): string =>
  `${required} ${required === 1 ? 'approval' : 'approvals'}`;

type ReviewDialogProps = { sandbox: Sandbox; onClose: () => void };

export const ReviewDialog = ({ sandbox, onClose }: ReviewDialogProps) => {
  const { sandbox_id, name, protected: isProtected, required_approvals } = sandbox;
  const needsName = (chosen: string) => isProtected && Number(chosen) < required_approvals;
  const server = useServerForm({
    initialValues: { required_approvals: String(required_approvals), confirm_sandbox_name: '' },
    validate: {
      confirm_sandbox_name: (typed, values) =>
        needsName(values.required_approvals) && !isSameName(typed, name)
          ? `Type "${name}" to confirm.`
          : null,
    },
    send: (values) =>
      api.sandboxes.update.mutate({
        sandbox_id,
        required_approvals: Number(values.required_approvals),
        ...(values.confirm_sandbox_name !== '' && {
          confirm_sandbox_name: values.confirm_sandbox_name,
        }),
      }),
    invalidates: [SANDBOXES_KEY],
    done: 'The setting is saved.',
    onDone: onClose,
  });
  const { form } = server;
  return (
    <FormDialog
      title={`Review of changes in ${name}`}
      server={server}
      action="Save"
      isDisabled={!form.isDirty('required_approvals')}
      onClose={onClose}
    >
      <ApprovalsField {...form.getInputProps('required_approvals')} />
      {needsName(form.values.required_approvals) && (
        <Alert color="yellow" title={`${name} is protected`}>
          <TextInput
            label={`Type "${name}" to confirm`}
            autoComplete="off"
            {...form.getInputProps('confirm_sandbox_name')}
          />
        </Alert>
      )}
    </FormDialog>
  );
};
