import { Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { ActionButton } from '../../access/action-button.tsx';
import type { Sandbox } from '../../access/sandboxes.ts';
import { useSandboxes } from '../../access/sandboxes.ts';
import { CopyableId } from '../../components/ids/copyable-id.tsx';
import { Tag } from '../../components/tag/tag.tsx';
import { CreateSandboxDialog } from '../../features/sandboxes/create-sandbox-dialog.tsx';
import { ProtectDialog } from './protect-dialog.tsx';
import { RenameDialog } from './rename-dialog.tsx';
import { SettingsSection } from './settings-section.tsx';

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
      says="One for each environment of the game. Protect the one that players play in: deleting there then asks for its name."
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
