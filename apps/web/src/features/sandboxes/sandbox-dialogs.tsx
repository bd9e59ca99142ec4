// The dialogs that create, rename, protect, archive, delete, restore and purge a sandbox.

import { Alert, Checkbox, Stack, Text, TextInput } from '@mantine/core';
import { isSameName } from '@muster/contract';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import type { Sandbox } from '../../api/sandboxes.ts';
import { SANDBOXES_KEY } from '../../api/sandboxes.ts';
import { ConfirmDialog, FormDialog } from '../../ui/dialogs.tsx';
import { useServerForm } from '../../ui/forms.tsx';
import { ApprovalsField } from './review-dialog.tsx';

/** Creates a sandbox and opens it. */
export const CreateSandboxDialog = ({ onClose }: { onClose: () => void }) => {
  const navigate = useNavigate();
  const server = useServerForm({
    initialValues: { name: '', isProduction: false, required_approvals: '1' },
    validate: { name: (name) => (name.trim() === '' ? 'Type a name.' : null) },
    send: async ({ name, isProduction, required_approvals }) => {
      const { sandbox_id } = await api.sandboxes.create.mutate({ name: name.trim() });
      if (isProduction) {
        const settings = { protected: true, required_approvals: Number(required_approvals) };
        await api.sandboxes.update.mutate({ sandbox_id, ...settings });
      }
      return sandbox_id;
    },
    invalidates: [SANDBOXES_KEY],
    done: ({ name }) => `${name.trim()} is ready.`,
    onDone: (sandbox) => {
      onClose();
      void navigate({ to: '/s/$sandbox', params: { sandbox } });
    },
  });
  const { form } = server;
  return (
    <FormDialog title="New sandbox" server={server} action="Create sandbox" onClose={onClose}>
      <TextInput
        data-autofocus
        label="Name"
        description="One sandbox for each environment of the game."
        placeholder="Development"
        maxLength={256}
        {...form.getInputProps('name')}
      />
      <Checkbox
        label="Protect it: players play in it"
        description="It is marked everywhere, and deleting in it needs its typed name."
        {...form.getInputProps('isProduction', { type: 'checkbox' })}
      />
      {form.values.isProduction && <ApprovalsField {...form.getInputProps('required_approvals')} />}
    </FormDialog>
  );
};

type SandboxDialogProps = { sandbox: Sandbox; onClose: () => void };

export const RenameDialog = ({ sandbox, onClose }: SandboxDialogProps) => {
  const { sandbox_id, name, protected: isProtected } = sandbox;
  const server = useServerForm({
    initialValues: { name, confirm_sandbox_name: '' },
    validate: {
      name: (typed) => (typed.trim() === '' ? 'Type a name.' : null),
      confirm_sandbox_name: (typed) =>
        isProtected && !isSameName(typed, name) ? `Type "${name}" to confirm.` : null,
    },
    send: (values) =>
      api.sandboxes.update.mutate({
        sandbox_id,
        name: values.name.trim(),
        ...(isProtected && { confirm_sandbox_name: values.confirm_sandbox_name }),
      }),
    invalidates: [SANDBOXES_KEY],
    done: 'The sandbox is renamed.',
    onDone: onClose,
  });
  const { form } = server;
  return (
    <FormDialog
      title={`Rename ${name}`}
      server={server}
      action="Rename"
      isDisabled={!form.isDirty('name')}
      onClose={onClose}
    >
      <TextInput data-autofocus label="New name" maxLength={256} {...form.getInputProps('name')} />
      {isProtected && (
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

export const ProtectDialog = ({ sandbox, onClose }: SandboxDialogProps) => {
  const { sandbox_id, name, required_approvals } = sandbox;
  const isProtected = sandbox.protected === true;
  const [approvals, setApprovals] = useState(String(Math.max(1, required_approvals)));
  const settings = isProtected
    ? { protected: false }
    : { protected: true, required_approvals: Number(approvals) };
  return (
    <ConfirmDialog
      onClose={onClose}
      title={isProtected ? `Lift the protection of ${name}?` : `Protect ${name}?`}
      action={isProtected ? 'Lift protection' : 'Protect'}
      isDestructive={isProtected}
      sandbox={sandbox}
      onConfirm={(confirmation) =>
        api.sandboxes.update.mutate({ sandbox_id, ...settings, ...confirmation })
      }
      invalidates={[SANDBOXES_KEY]}
      done={isProtected ? `${name} is no longer protected.` : `${name} is protected.`}
    >
      {isProtected ? (
        'Everyone who edits this sandbox can then delete records, and promote into it, without typing its name.'
      ) : (
        <Stack gap="sm">
          <Text size="sm">
            It is marked everywhere. Deleting records in it, and promoting into it, then need an
            admin and the typed name of the sandbox.
          </Text>
          <ApprovalsField value={approvals} onChange={setApprovals} />
        </Stack>
      )}
    </ConfirmDialog>
  );
};

/** Archives or unarchives a sandbox. */
export const ArchiveDialog = ({ sandbox, onClose }: SandboxDialogProps) => {
  const { sandbox_id, name, archived } = sandbox;
  const isArchived = archived !== undefined;
  return (
    <ConfirmDialog
      onClose={onClose}
      title={isArchived ? `Unarchive ${name}?` : `Archive ${name}?`}
      action={isArchived ? 'Unarchive' : 'Archive'}
      sandbox={isArchived ? undefined : sandbox}
      onConfirm={(confirmation) =>
        isArchived
          ? api.sandboxes.unarchive.mutate({ sandbox_id })
          : api.sandboxes.archive.mutate({ sandbox_id, ...confirmation })
      }
      invalidates={[SANDBOXES_KEY]}
      done={isArchived ? `${name} is active again.` : `${name} is archived.`}
    >
      {isArchived
        ? 'It returns to every list, and its Items and Xp tables can be changed again.'
        : 'It becomes read-only and is hidden from lists and search. Its history stays readable, for games too, and you can unarchive it at any time.'}
    </ConfirmDialog>
  );
};

type DeleteDialogProps = SandboxDialogProps & { keptDays: number | undefined };

export const DeleteDialog = ({ sandbox, keptDays, onClose }: DeleteDialogProps) => {
  const { sandbox_id, name } = sandbox;
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Delete ${name}?`}
      action="Delete sandbox"
      isDestructive
      sandbox={sandbox}
      needsName
      onConfirm={(confirmation) => api.sandboxes.delete.mutate({ sandbox_id, ...confirmation })}
      invalidates={[SANDBOXES_KEY]}
      done={`${name} is deleted.`}
    >
      <Text size="sm">
        It can no longer be opened. {describeRetention(keptDays)} Its public history still answers
        until then.
      </Text>
    </ConfirmDialog>
  );
};

/** What happens to a deleted sandbox, depending on the service's retention setting. */
export const describeRetention = (keptDays: number | undefined): string =>
  keptDays === undefined
    ? 'Deleted sandboxes are kept with their history until an operator sets SANDBOX_RETENTION_DAYS, and can be restored.'
    : `Deleted sandboxes are kept with their history for ${keptDays} ${keptDays === 1 ? 'day' : 'days'}, and can be restored until then (setting SANDBOX_RETENTION_DAYS).`;

export const PurgeDialog = ({ sandbox, onClose }: SandboxDialogProps) => {
  const { sandbox_id, name } = sandbox;
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Purge ${name} now?`}
      action="Purge now"
      isDestructive
      sandbox={sandbox}
      needsName
      onConfirm={(confirmation) => api.sandboxes.purge.mutate({ sandbox_id, ...confirmation })}
      invalidates={[SANDBOXES_KEY]}
      done={`${name} is purged.`}
    >
      <Text size="sm">
        Its Items, Xp tables and history are deleted for ever, before the retention ends. Its public
        history is empty at once. The audit records stay.
      </Text>
    </ConfirmDialog>
  );
};

export const RestoreDialog = ({ sandbox, onClose }: SandboxDialogProps) => {
  const { sandbox_id, name } = sandbox;
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Restore ${name}?`}
      action="Restore"
      onConfirm={() => api.sandboxes.restore.mutate({ sandbox_id })}
      invalidates={[SANDBOXES_KEY]}
      done={`${name} is restored.`}
    >
      Its Items, Xp tables and history are as they were when it was deleted.
    </ConfirmDialog>
  );
};
