import { Alert, Button, Group, MultiSelect, Select, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { timeZone } from '../../api/preferences.ts';
import { SecretBox } from '../../ui/copyable.tsx';
import { ConfirmDialog, Dialog, DialogForm, FormDialog } from '../../ui/dialogs.tsx';
import { toInputValue, toInstant } from '../../ui/format-time.ts';
import { useServerForm } from '../../ui/forms.tsx';
import { GRACE_PERIODS } from '../../ui/grace-periods.ts';
import { AUDIT_KIND, EVENT_LABELS } from './webhook-labels.ts';
import type { EventKind, Webhook } from './webhook-queries.ts';
import { WEBHOOK_KEYS } from './webhook-queries.ts';

type Values = { url: string; kinds: EventKind[] };

const KIND_GROUPS = Object.entries(EVENT_LABELS).map(([group, labels]) => ({
  group,
  items: Object.entries(labels).map(([value, label]) => ({ value, label })),
}));

const VALIDATE = {
  url: (url: string) => (url.trim() === '' ? 'Enter the URL of the receiver.' : null),
  kinds: (kinds: EventKind[]) => {
    if (kinds.length === 0) return 'Choose at least one kind of event.';
    const isMixed = kinds.includes(AUDIT_KIND) && kinds.length > 1;
    return isMixed ? 'Create another webhook for the audit records.' : null;
  },
};

type FieldsProps = { form: ReturnType<typeof useServerForm<Values, unknown>>['form'] };

const WebhookFields = ({ form }: FieldsProps) => (
  <>
    <TextInput
      data-autofocus
      label="URL"
      description="The receiver. Muster sends it POST requests over https."
      placeholder="https://backend.example.com/muster"
      maxLength={2048}
      {...form.getInputProps('url')}
    />
    <MultiSelect
      label="Events"
      description="The kinds of events that it receives."
      data={KIND_GROUPS}
      searchable
      {...form.getInputProps('kinds')}
      onChange={(kinds) => form.setFieldValue('kinds', kinds as EventKind[])}
    />
    {form.getValues().kinds.includes(AUDIT_KIND) && (
      <Alert color="blue" title="For a SIEM">
        The receiver gets every audit record in order, up to 100 in a request, without the names and
        e-mail addresses of people. Such a webhook has no other kinds, and you need the permission
        audit:view.
      </Alert>
    )}
  </>
);

type CreateWebhookDialogProps = { onClose: () => void };

/** Creates a webhook. The second page of the dialog shows its secret, once. */
export const CreateWebhookDialog = ({ onClose }: CreateWebhookDialogProps) => {
  const [secret, setSecret] = useState<string | null>(null);
  const server = useServerForm({
    initialValues: { url: '', kinds: [] } as Values,
    validate: VALIDATE,
    send: ({ url, kinds }) => api.webhooks.create.mutate({ url: url.trim(), kinds }),
    invalidates: WEBHOOK_KEYS,
    onDone: (made) => setSecret(made.secret),
  });
  return (
    <Dialog
      opened
      size="lg"
      onClose={onClose}
      closeOnClickOutside={false}
      title={secret === null ? 'New webhook' : 'The secret of your new webhook'}
    >
      {secret === null ? (
        <DialogForm server={server} action="Create webhook" onClose={onClose}>
          <WebhookFields form={server.form} />
        </DialogForm>
      ) : (
        <NewSecret secret={secret} onClose={onClose} />
      )}
    </Dialog>
  );
};

type NewSecretProps = { secret: string; onClose: () => void };

const NewSecret = ({ secret, onClose }: NewSecretProps) => (
  <Stack gap="sm">
    <Alert color="yellow" title="Copy it now">
      This is the only time that the secret is shown. Your receiver verifies the signature of each
      request with it.
    </Alert>
    <SecretBox label="secret" secret={secret} />
    <Group justify="flex-end">
      <Button onClick={onClose}>I have kept it</Button>
    </Group>
  </Stack>
);

type WebhookDialogProps = { webhook: Webhook; onClose: () => void };

export const EditWebhookDialog = ({ webhook, onClose }: WebhookDialogProps) => {
  const { webhook_id, version } = webhook;
  const server = useServerForm({
    initialValues: { url: webhook.url, kinds: webhook.kinds } as Values,
    validate: VALIDATE,
    send: ({ url, kinds }) =>
      api.webhooks.update.mutate({
        webhook_id,
        expected_version: version,
        url: url.trim(),
        kinds,
      }),
    invalidates: WEBHOOK_KEYS,
    done: 'The webhook is saved.',
    onDone: onClose,
  });
  return (
    <FormDialog title="Edit webhook" size="lg" server={server} action="Save" onClose={onClose}>
      <WebhookFields form={server.form} />
    </FormDialog>
  );
};

/** Makes a new secret. Requests have the signatures of both until the old one expires. */
export const RotateSecretDialog = ({ webhook, onClose }: WebhookDialogProps) => {
  const [secret, setSecret] = useState<string | null>(null);
  const server = useServerForm({
    initialValues: { overlap: '86400' },
    send: ({ overlap }) =>
      api.webhooks.rotateSecret.mutate({
        webhook_id: webhook.webhook_id,
        overlap_seconds: Number(overlap),
      }),
    invalidates: WEBHOOK_KEYS,
    onDone: (made) => setSecret(made.secret),
  });
  return (
    <Dialog
      opened
      size="lg"
      onClose={onClose}
      closeOnClickOutside={secret === null}
      title={secret === null ? 'Rotate the secret' : 'The new secret'}
    >
      {secret === null ? (
        <DialogForm server={server} action="Rotate" onClose={onClose}>
          <Text>
            Makes a new secret. Until the old one expires, each request has the signatures of both:
            give the new secret to your receiver before then.
          </Text>
          <Select
            data-autofocus
            label="Old secret expires"
            data={GRACE_PERIODS}
            {...server.form.getInputProps('overlap')}
          />
        </DialogForm>
      ) : (
        <NewSecret secret={secret} onClose={onClose} />
      )}
    </Dialog>
  );
};

const HOUR_MS = 3_600_000;

/** Sends the events since a moment again. */
export const ResumeDialog = ({ webhook, onClose }: WebhookDialogProps) => {
  const zone = timeZone.use();
  const server = useServerForm({
    initialValues: { from: toInputValue(new Date(Date.now() - HOUR_MS).toISOString(), zone) },
    validate: {
      from: (from) => (toInstant(from, zone) ? null : 'For example 2026-11-21 18:30'),
    },
    send: ({ from }) =>
      api.webhooks.resume.mutate({
        webhook_id: webhook.webhook_id,
        from: toInstant(from, zone) ?? '',
      }),
    invalidates: WEBHOOK_KEYS,
    done: 'The events since then are sent again.',
    onDone: onClose,
  });
  return (
    <FormDialog title="Resume from a time" server={server} action="Resume" onClose={onClose}>
      <Text>
        Enables the webhook, ends its pending deliveries, and sends all events since this time in
        new deliveries.{' '}
        {webhook.kinds.includes(AUDIT_KIND)
          ? 'Records can be sent while the audit trail keeps them.'
          : 'Events are kept for seven days.'}
      </Text>
      <TextInput
        data-autofocus
        label={zone === 'utc' ? 'From (UTC)' : 'From'}
        placeholder="YYYY-MM-DD hh:mm"
        maxLength={19}
        autoComplete="off"
        {...server.form.getInputProps('from')}
      />
    </FormDialog>
  );
};

type DeleteWebhookDialogProps = WebhookDialogProps & { onDone: () => void };

export const DeleteWebhookDialog = ({ webhook, onClose, onDone }: DeleteWebhookDialogProps) => (
  <ConfirmDialog
    onClose={onClose}
    title="Delete this webhook?"
    action="Delete"
    isDestructive
    onConfirm={() => api.webhooks.delete.mutate({ webhook_id: webhook.webhook_id })}
    invalidates={WEBHOOK_KEYS}
    done="The webhook is deleted."
    onDone={onDone}
  >
    Its receiver gets no more events, and its deliveries are deleted. To stop it for a while,
    disable it instead.
  </ConfirmDialog>
);
