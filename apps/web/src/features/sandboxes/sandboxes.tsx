import { Alert, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { notifyDone } from '../../api/notify.ts';
import type { Sandbox } from '../../api/sandboxes.ts';
import { sandboxesOptions, useSandboxes } from '../../api/sandboxes.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { CopyableId } from '../../ui/copyable.tsx';
import { ConfirmDialog, FormDialog } from '../../ui/dialogs.tsx';
import { Tag } from '../../ui/facts.tsx';
import { useServerForm } from '../../ui/forms.tsx';
import { SettingsSection } from '../../ui/page.tsx';

const RUN = ['sandbox:*'] as const;

type Open = { what: 'rename' | 'protect'; sandbox: Sandbox };

export const SandboxesSection = () => {
  const sandboxes = useSandboxes();
  const [isCreating, setCreating] = useState(false);
  const [open, setOpen] = useState<Open | null>(null);
  const close = () => setOpen(null);
  return (
    <SettingsSection
      title="Sandboxes"
      description="One for each environment of the game. Protect the one that players play in: deleting there then asks for its name."
    >
      <Stack gap="xs">
        {sandboxes.map((sandbox) => (
          <SandboxLine
            key={sandbox.sandbox_id}
            sandbox={sandbox}
            onChoose={(what) => setOpen({ what, sandbox })}
          />
        ))}
        <ActionButton anyOf={RUN} variant="default" mr="auto" onClick={() => setCreating(true)}>
          New sandbox
        </ActionButton>
      </Stack>
      {isCreating && <CreateSandboxDialog onClose={() => setCreating(false)} />}
      {open?.what === 'rename' && <RenameDialog sandbox={open.sandbox} onClose={close} />}
      {open?.what === 'protect' && <ProtectDialog sandbox={open.sandbox} onClose={close} />}
    </SettingsSection>
  );
};

type SandboxLineProps = { sandbox: Sandbox; onChoose: (what: Open['what']) => void };

const SandboxLine = ({ sandbox, onChoose }: SandboxLineProps) => {
  const { sandbox_id, name, protected: isProtected } = sandbox;
  return (
    <Group justify="space-between" gap="xs">
      <div>
        <Text size="sm" fw={600}>
          {name} {isProtected && <Tag tone="production">protected</Tag>}
        </Text>
        <CopyableId id={sandbox_id} label={`id of ${name}`} />
      </div>
      <Group gap="xs">
        <ActionButton
          anyOf={RUN}
          sandbox={sandbox_id}
          variant="subtle"
          aria-label={`Rename ${name}`}
          onClick={() => onChoose('rename')}
        >
          Rename
        </ActionButton>
        <ActionButton
          anyOf={RUN}
          sandbox={sandbox_id}
          variant="subtle"
          aria-label={isProtected ? `Lift protection of ${name}` : `Protect ${name}`}
          onClick={() => onChoose('protect')}
        >
          {isProtected ? 'Lift protection' : 'Protect'}
        </ActionButton>
      </Group>
    </Group>
  );
};

/** Makes a sandbox and leads into it. */
export const CreateSandboxDialog = ({ onClose }: { onClose: () => void }) => {
  const navigate = useNavigate();
  const server = useServerForm({
    initialValues: { name: '', isProduction: false },
    validate: { name: (name) => (name.trim() === '' ? 'Type a name.' : null) },
    send: async ({ name, isProduction }) => {
      const { sandbox_id } = await api.sandboxes.create.mutate({ name: name.trim() });
      if (isProduction) await api.sandboxes.update.mutate({ sandbox_id, protected: true });
      return sandbox_id;
    },
    invalidates: [sandboxesOptions.queryKey],
    onDone: (sandbox, { name }) => {
      notifyDone(`${name.trim()} is ready.`);
      onClose();
      void navigate({ to: '/s/$sandbox', params: { sandbox } });
    },
  });
  const { form } = server;
  return (
    <FormDialog title="New sandbox" server={server} action="Make sandbox" onClose={onClose}>
      <TextInput
        data-autofocus
        label="Name"
        description="One sandbox for each environment of the game."
        placeholder="Development"
        maxLength={256}
        {...form.getInputProps('name')}
      />
      <Checkbox
        label="Players play in it: protect it"
        description="Marked everywhere; deleting in it asks for its name."
        {...form.getInputProps('isProduction', { type: 'checkbox' })}
      />
    </FormDialog>
  );
};

type RenameDialogProps = { sandbox: Sandbox; onClose: () => void };

const RenameDialog = ({ sandbox, onClose }: RenameDialogProps) => {
  const { sandbox_id, name, protected: isProtected } = sandbox;
  const server = useServerForm({
    initialValues: { name, confirm_sandbox_name: '' },
    validate: {
      name: (typed) => (typed.trim() === '' ? 'Type a name.' : null),
      confirm_sandbox_name: (typed) =>
        isProtected && typed !== name ? `Type "${name}" to confirm.` : null,
    },
    send: (values) =>
      api.sandboxes.update.mutate({
        sandbox_id,
        name: values.name.trim(),
        ...(isProtected && { confirm_sandbox_name: values.confirm_sandbox_name }),
      }),
    invalidates: [sandboxesOptions.queryKey],
    onDone: () => {
      notifyDone('The sandbox is renamed.');
      onClose();
    },
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

type ProtectDialogProps = { sandbox: Sandbox; onClose: () => void };

const ProtectDialog = ({ sandbox, onClose }: ProtectDialogProps) => {
  const { sandbox_id, name } = sandbox;
  const isProtected = sandbox.protected === true;
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={isProtected ? `Lift the protection of ${name}?` : `Protect ${name}?`}
      action={isProtected ? 'Lift protection' : 'Protect'}
      isDestructive={isProtected}
      sandbox={sandbox}
      onConfirm={(confirmation) =>
        api.sandboxes.update.mutate({ sandbox_id, protected: !isProtected, ...confirmation })
      }
      invalidates={[sandboxesOptions.queryKey]}
      onDone={() =>
        notifyDone(isProtected ? `${name} is not protected any more.` : `${name} is protected.`)
      }
    >
      {isProtected
        ? 'Everybody who edits this sandbox can then delete in it without a question.'
        : 'It is marked everywhere. Deleting in it then needs an admin and the typed name of the sandbox.'}
    </ConfirmDialog>
  );
};
