import { Button, Group, Modal, Stack } from '@mantine/core';
import { useMe } from '../../access/me.ts';
import { queryClient } from '../../api/query-client.ts';
import { api, trpc } from '../../api/trpc.ts';
import { FormError } from '../../components/forms/form-error.tsx';
import { useServerForm } from '../../components/forms/use-server-form.ts';
import { notifyDone } from '../../components/notify.ts';
import { checkScope } from '../../features/accounts/sandbox-scope.tsx';
import type { RoleGrant } from './grant-fields.tsx';
import { GrantFields } from './grant-fields.tsx';
import type { Person } from './person-row.ts';

export const ChangeRoleDialog = ({ person, onClose }: { person: Person; onClose: () => void }) => {
  const me = useMe();
  const { account_id, role, sandbox_ids } = person;
  const initial: RoleGrant = { role, sandbox_ids };
  const { form, submit, isSending, error } = useServerForm({
    initialValues: { grant: initial },
    validate: { grant: ({ sandbox_ids: ids }) => checkScope(ids) },
    send: ({ grant }) => api.people.setRole.mutate({ account_id, ...grant }),
    onDone: async () => {
      // One's own role decides what the whole page offers.
      if (me.account_id === account_id) await queryClient.invalidateQueries();
      else await queryClient.invalidateQueries({ queryKey: trpc.people.pathKey() });
      notifyDone(`The role of ${person.name} is changed.`);
      onClose();
    },
  });
  return (
    <Modal opened onClose={onClose} title={`Role of ${person.name}`}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <FormError error={error} fields={[]} />
          <GrantFields
            value={form.values.grant}
            error={form.errors.grant as string | undefined}
            onChange={(grant) => form.setFieldValue('grant', grant)}
          />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={isSending} disabled={!form.isDirty()}>
              Change role
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
};
