// One line per sandbox, with its actions.

import { ActionIcon, Flex, Menu, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { usePermission } from '../../api/me.ts';
import type { Sandbox } from '../../api/sandboxes.ts';
import { CopyableId } from '../../ui/copyable.tsx';
import { Tag } from '../../ui/facts.tsx';
import { Icon } from '../../ui/icons.tsx';
import { Name } from '../../ui/names.tsx';
import { SettingsSection } from '../../ui/page.tsx';
import { TimeText } from '../../ui/time.tsx';
import { describeApprovals, ReviewDialog } from './review-dialog.tsx';
import {
  ArchiveDialog,
  DeleteDialog,
  ProtectDialog,
  PurgeDialog,
  RenameDialog,
  RestoreDialog,
} from './sandbox-dialogs.tsx';
import classes from './sandbox-list.module.css';

type What = 'rename' | 'protect' | 'review' | 'archive' | 'delete' | 'restore' | 'purge';

type SandboxListProps = {
  title: string;
  description: string;
  sandboxes: readonly Sandbox[];
  /** Shown instead of an empty list. */
  empty?: string;
  /** Retention of deleted sandboxes in days; absent: kept forever. */
  keptDays: number | undefined;
};

export const SandboxList = ({
  title,
  description,
  sandboxes,
  empty,
  keptDays,
}: SandboxListProps) => {
  const [open, setOpen] = useState<{ what: What; sandbox: Sandbox } | null>(null);
  const dialog = open && { sandbox: open.sandbox, onClose: () => setOpen(null) };
  return (
    <SettingsSection title={title} description={description}>
      {sandboxes.length === 0 && empty && <Text size="sm">{empty}</Text>}
      <ul className="plain">
        {sandboxes.map((sandbox) => (
          <SandboxLine
            key={sandbox.sandbox_id}
            sandbox={sandbox}
            onChoose={(what) => setOpen({ what, sandbox })}
          />
        ))}
      </ul>
      {dialog && open.what === 'rename' && <RenameDialog {...dialog} />}
      {dialog && open.what === 'protect' && <ProtectDialog {...dialog} />}
      {dialog && open.what === 'review' && <ReviewDialog {...dialog} />}
      {dialog && open.what === 'archive' && <ArchiveDialog {...dialog} />}
      {dialog && open.what === 'delete' && <DeleteDialog {...dialog} keptDays={keptDays} />}
      {dialog && open.what === 'restore' && <RestoreDialog {...dialog} />}
      {dialog && open.what === 'purge' && <PurgeDialog {...dialog} />}
    </SettingsSection>
  );
};

type SandboxLineProps = { sandbox: Sandbox; onChoose: (what: What) => void };

const SandboxLine = ({ sandbox, onChoose }: SandboxLineProps) => {
  const { sandbox_id, name, deleted, archived, item_versions, xp_versions } = sandbox;
  const { required_approvals } = sandbox;
  const mayManage = usePermission(['sandbox:*'], sandbox_id);
  const versions = item_versions + xp_versions;
  return (
    <Flex component="li" className={classes.line} align="center" gap={12} mih={52} p="6px 0">
      <Stack gap={2} flex={1} miw={0}>
        <Text size="sm" fw={600} component="div">
          {deleted ? (
            <Name name={name} id={sandbox_id} />
          ) : (
            <Link to="/s/$sandbox" params={{ sandbox: sandbox_id }}>
              <Name name={name} id={sandbox_id} />
            </Link>
          )}{' '}
          {sandbox.protected && <Tag tone="production">protected</Tag>}
        </Text>
        <Text size="xs" c="dimmed" component="div" className="numbers">
          {versions.toLocaleString('en')} {versions === 1 ? 'version' : 'versions'} ·{' '}
          {required_approvals > 0 && `${describeApprovals(required_approvals)} required · `}
          <StateSince deleted={deleted} archived={archived} created={sandbox.created} />
        </Text>
      </Stack>
      <CopyableId id={sandbox_id} label={`id of ${name}`} short />
      {mayManage && <SandboxMenu sandbox={sandbox} onChoose={onChoose} />}
    </Flex>
  );
};

type StateSinceProps = { deleted?: string; archived?: string; created: string };

const StateSince = ({ deleted, archived, created }: StateSinceProps): ReactNode => {
  const [word, at] = deleted
    ? ['deleted', deleted]
    : archived
      ? ['archived', archived]
      : ['created', created];
  return (
    <>
      {word} <TimeText at={at} />
    </>
  );
};

const SandboxMenu = ({ sandbox, onChoose }: SandboxLineProps) => {
  const { name, deleted, archived, protected: isProtected } = sandbox;
  const mayPurge = usePermission(['*']);
  const entries: [What, string][] = deleted
    ? [['restore', 'Restore']]
    : [
        ['rename', 'Rename'],
        ['protect', isProtected ? 'Lift protection' : 'Protect'],
        ['review', 'Review …'],
        ['archive', archived ? 'Unarchive' : 'Archive'],
      ];
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <ActionIcon size="lg" aria-label={`Actions for ${name}`}>
          <Icon name="dots" size={18} stroke={1.6} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {entries.map(([what, label]) => (
          <Menu.Item key={what} onClick={() => onChoose(what)}>
            {label}
          </Menu.Item>
        ))}
        {deleted && mayPurge && (
          <>
            <Menu.Divider />
            <Menu.Item color="red" onClick={() => onChoose('purge')}>
              Purge now …
            </Menu.Item>
          </>
        )}
        {!deleted && (
          <>
            <Menu.Divider />
            <Menu.Item color="red" disabled={isProtected} onClick={() => onChoose('delete')}>
              Delete …
            </Menu.Item>
            {isProtected && <Menu.Label>Lift its protection before deleting it.</Menu.Label>}
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
};
