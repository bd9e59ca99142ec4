import { Menu } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { notifyDone } from '../../api/notify.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import {
  DeleteWebhookDialog,
  EditWebhookDialog,
  ResumeDialog,
  RotateSecretDialog,
} from './webhook-dialogs.tsx';
import type { Webhook } from './webhook-queries.ts';
import { WEBHOOK_KEYS } from './webhook-queries.ts';

const MANAGE = ['webhook:manage'] as const;

export const WebhookActions = ({ webhook }: { webhook: Webhook }) => {
  const { webhook_id, disabled } = webhook;
  const navigate = useNavigate();
  const [open, setOpen] = useState<'edit' | 'rotate' | 'resume' | 'delete' | null>(null);
  const close = () => setOpen(null);
  const isEnabled = disabled === undefined;
  const toggle = useMutation({
    mutationFn: () =>
      isEnabled
        ? api.webhooks.disable.mutate({ webhook_id })
        : api.webhooks.enable.mutate({ webhook_id }),
    meta: { invalidates: WEBHOOK_KEYS },
  });
  const test = useMutation({
    mutationFn: () => api.webhooks.test.mutate({ webhook_id }),
    onSuccess: ({ status_code, duration_ms, error }) =>
      notifyDone(
        status_code === undefined
          ? `The test failed: ${error ?? 'there was no response.'}`
          : `The receiver responded with ${status_code} after ${duration_ms} ms.`,
      ),
  });
  return (
    <>
      <ActionButton
        variant="default"
        anyOf={MANAGE}
        loading={test.isPending}
        onClick={() => test.mutate()}
      >
        Send a test
      </ActionButton>
      <ActionButton
        variant="default"
        anyOf={MANAGE}
        loading={toggle.isPending}
        onClick={() => toggle.mutate()}
      >
        {isEnabled ? 'Disable' : 'Enable'}
      </ActionButton>
      <ActionButton anyOf={MANAGE} onClick={() => setOpen('edit')}>
        Edit
      </ActionButton>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionButton variant="default" anyOf={MANAGE}>
            More
          </ActionButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setOpen('resume')}>Resume from…</Menu.Item>
          <Menu.Item onClick={() => setOpen('rotate')}>Rotate the secret</Menu.Item>
          <Menu.Item color="red" onClick={() => setOpen('delete')}>
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {open === 'edit' && <EditWebhookDialog webhook={webhook} onClose={close} />}
      {open === 'rotate' && <RotateSecretDialog webhook={webhook} onClose={close} />}
      {open === 'resume' && <ResumeDialog webhook={webhook} onClose={close} />}
      {open === 'delete' && (
        <DeleteWebhookDialog
          webhook={webhook}
          onClose={close}
          onDone={() => void navigate({ to: '/webhooks' })}
        />
      )}
    </>
  );
};
