import { Button, Group, Modal, Select, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { queryClient } from '../../api/query-client.ts';
import type { ApiOutputs } from '../../api/trpc.ts';
import { api, trpc } from '../../api/trpc.ts';
import { FormError } from '../../components/forms/form-error.tsx';
import { useServerForm } from '../../components/forms/use-server-form.ts';
import type { Key } from './key-row.ts';
import { NewKey } from './new-key.tsx';

const GRACES = [
  { value: '0', label: 'At once' },
  { value: '3600', label: 'After an hour' },
  { value: '86400', label: 'After a day' },
  { value: '604800', label: 'After a week' },
];

/** A second key of the same kind; the old one goes on for as long as the change-over takes. */
export const RotateDialog = ({ value, onClose }: { value: Key; onClose: () => void }) => {
  const [made, setMade] = useState<ApiOutputs['keys']['rotate'] | null>(null);
  const { form, submit, isSending, error } = useServerForm({
    initialValues: { grace: '86400' },
    send: async ({ grace }) => {
      const key = await api.keys.rotate.mutate({
        key_id: value.key_id,
        grace_seconds: Number(grace),
      });
      void queryClient.invalidateQueries({ queryKey: trpc.keys.pathKey() });
      return key;
    },
    onDone: setMade,
  });
  return (
    <Modal
      opened
      size="lg"
      onClose={onClose}
      closeOnClickOutside={made === null}
      title={made ? 'Your new key' : `Rotate "${value.name}"`}
    >
      {made ? (
        <NewKey made={made} onClose={onClose} />
      ) : (
        <form onSubmit={submit}>
          <Stack gap="sm">
            <FormError error={error} fields={[]} />
            <Text>
              Makes a new key with the same permissions. Until the old one ends, both work: time to
              hand the new one out.
            </Text>
            <Select
              data-autofocus
              label="The old key ends"
              data={GRACES}
              {...form.getInputProps('grace')}
            />
            <Group justify="flex-end" gap="xs">
              <Button variant="default" onClick={onClose}>
                Cancel
              </Button>
              <Button type="submit" loading={isSending}>
                Rotate
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Modal>
  );
};
