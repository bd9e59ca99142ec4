// The details of one person, and the actions.
import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, trpc } from '../../api/client.ts';
import { useMe } from '../../api/me.ts';
import { ActionButton } from '../../ui/action-button.tsx';
import { CopyableId, SecretBox } from '../../ui/copyable.tsx';
import { ConfirmDialog, FormDialog } from '../../ui/dialogs.tsx';
import { Facts } from '../../ui/facts.tsx';
import { FormError, useServerForm } from '../../ui/forms.tsx';
import { listGrantableRoles, ROLE_LABELS } from '../../ui/permission-labels.ts';
import { TimeText } from '../../ui/time.tsx';
import type { Identity } from './identities.tsx';
import { PersonIdentities, RemoveIdentityDialog } from './identities.tsx';
import type { Person } from './person-rows.ts';
import type { RoleGrant } from './role-fields.tsx';
import { GrantFields } from './role-fields.tsx';
import { checkScope, SandboxNames } from './sandbox-scope.tsx';

type PersonDetailsProps = { person: Person; isLastOwner: boolean; onClose: () => void };

export const PersonDetails = ({ person, isLastOwner, onClose }: PersonDetailsProps) => {
  const me = useMe();
  const [action, setAction] = useState<PersonAction | null>(null);
  const [identity, setIdentity] = useState<Identity | null>(null);
  const back = () => setAction(null);
  const isMe = me.account_id === person.account_id;
  return (
    <>
      <Modal
        opened={action === null && identity === null}
        onClose={onClose}
        title={person.name}
        size="lg"
      >
        <Stack gap="md">
          {isLastOwner && (
            <Alert color="blue" title="The last owner">
              At least one person has to be an owner. Make another person an owner first; then this
              one can be changed, disabled or removed.
            </Alert>
          )}
          <Facts
            facts={{
              ...readFacts(person),
              'Single sign-on': <PersonIdentities person={person} onRemove={setIdentity} />,
            }}
          />
          <PersonActions
            person={person}
            isMe={isMe}
            isLastOwner={isLastOwner}
            onChoose={setAction}
          />
          <Button variant="default" onClick={onClose} ml="auto">
            Close
          </Button>
        </Stack>
      </Modal>
      {identity && (
        <RemoveIdentityDialog
          person={person}
          identity={identity}
          onClose={() => setIdentity(null)}
        />
      )}
      {action === 'role' && <ChangeRoleDialog person={person} onClose={back} />}
      {action === 'password' && <ResetPasswordDialog person={person} onClose={back} />}
      <PersonConfirmation person={person} action={action} onClose={back} onRemoved={onClose} />
    </>
  );
};

const readFacts = (person: Person): Record<string, React.ReactNode> => ({
  'E-mail': person.email,
  'Account id': <CopyableId id={person.account_id} label="account id" />,
  Role: `${ROLE_LABELS[person.role].label}: ${ROLE_LABELS[person.role].description}`,
  Sandboxes: <SandboxNames ids={person.sandbox_ids} />,
  'Second factor': person.two_factor_enabled ? 'on' : 'off',
  Came: <TimeText at={person.created} />,
  'Last signed in': person.last_signed_in ? <TimeText at={person.last_signed_in} /> : 'never',
});

type PersonAction = 'role' | 'password' | 'two-factor' | 'disable' | 'enable' | 'remove';

type PersonActionsProps = {
  person: Person;
  isMe: boolean;
  isLastOwner: boolean;
  onChoose: (action: PersonAction) => void;
};

const OWN = 'This is your own account: see Settings for what you can change yourself.';
const LAST = 'The last owner stays: make another person an owner first.';
const MORE = 'This person has permissions that you do not have.';

/** Every action, with the reason when it is not available. */
const PersonActions = ({ person, isMe, isLastOwner, onChoose }: PersonActionsProps) => {
  const { permissions } = useMe();
  const covers = listGrantableRoles(permissions, person.sandbox_ids).includes(person.role);
  const general = !covers && MORE;
  const others = general || (isMe && OWN);
  const staying = others || (isLastOwner && LAST);
  const noFactor = !person.two_factor_enabled && 'There is no second factor to reset.';
  const actions: [PersonAction, string, string | false][] = [
    ['role', 'Change role', general || (isLastOwner && LAST)],
    ['password', 'Reset password', others],
    ['two-factor', 'Reset second factor', others || noFactor],
    person.disabled ? ['enable', 'Enable', general] : ['disable', 'Disable', staying],
  ];
  return (
    <Group gap="xs">
      {actions.map(([action, label, reason]) => (
        <ActionButton
          key={action}
          variant="default"
          reason={reason}
          onClick={() => onChoose(action)}
        >
          {label}
        </ActionButton>
      ))}
      <ActionButton variant="light" color="red" reason={staying} onClick={() => onChoose('remove')}>
        Remove
      </ActionButton>
    </Group>
  );
};

type Confirmed = Exclude<PersonAction, 'role' | 'password'>;

type Question = {
  title: string;
  description: string;
  verb: string;
  done: string;
  run: (account_id: string) => Promise<unknown>;
};

const QUESTIONS: Record<Confirmed, Question> = {
  'two-factor': {
    title: 'Reset the second factor',
    description:
      'For a person who has lost their phone and backup codes. Every sign-in ends, and single sign-on identities are removed. The password alone opens the account until a second factor is set up again.',
    verb: 'Reset second factor',
    done: 'The second factor is off.',
    run: (account_id) => api.people.resetTwoFactor.mutate({ account_id }),
  },
  disable: {
    title: 'Disable the account',
    description:
      'Every sign-in ends at once, and no new one is possible. You can enable the account again.',
    verb: 'Disable',
    done: 'The account is disabled.',
    run: (account_id) => api.people.setDisabled.mutate({ account_id, disabled: true }),
  },
  enable: {
    title: 'Enable the account',
    description: 'The person can sign in again, with the same role as before.',
    verb: 'Enable',
    done: 'The account is enabled.',
    run: (account_id) => api.people.setDisabled.mutate({ account_id, disabled: false }),
  },
  remove: {
    title: 'Remove the account',
    description: 'This cannot be undone. The name stays in histories and in the audit trail.',
    verb: 'Remove',
    done: 'The account is removed.',
    run: (account_id) => api.people.remove.mutate({ account_id }),
  },
};

/** Backends depend on service accounts, so these are kept when their maker, who may know their keys, is removed. */
const describeServiceAccounts = ({ name, service_accounts: count }: Person): string => {
  if (count === undefined) return '';
  const what = count === 1 ? '1 service account' : `${count} service accounts`;
  return ` ${what} made by ${name} can still be used with ${count === 1 ? 'its' : 'their'} keys: rotate or revoke those under Keys.`;
};

type PersonConfirmationProps = {
  person: Person;
  action: PersonAction | null;
  onClose: () => void;
  onRemoved: () => void;
};

const PersonConfirmation = (props: PersonConfirmationProps) => {
  const { person, action, onClose, onRemoved } = props;
  if (action === null || action === 'role' || action === 'password') return null;
  const { title, description, verb, done, run } = QUESTIONS[action];
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`${title} of ${person.name}?`}
      action={verb}
      isDestructive={action !== 'enable'}
      onConfirm={() => run(person.account_id)}
      invalidates={[trpc.people.pathKey()]}
      done={done}
      onDone={action === 'remove' ? onRemoved : undefined}
    >
      {description}
      {action !== 'two-factor' && action !== 'enable' && describeServiceAccounts(person)}
    </ConfirmDialog>
  );
};

const ChangeRoleDialog = ({ person, onClose }: { person: Person; onClose: () => void }) => {
  const me = useMe();
  const { account_id, role, sandbox_ids } = person;
  const initial: RoleGrant = { role, sandbox_ids };
  const server = useServerForm({
    initialValues: { grant: initial },
    validate: { grant: ({ sandbox_ids: ids }) => checkScope(ids) },
    send: ({ grant }) => api.people.setRole.mutate({ account_id, ...grant }),
    // The user's own role decides which pages the app shows.
    invalidates: [me.account_id === account_id ? [] : trpc.people.pathKey()],
    done: `The role of ${person.name} is changed.`,
    onDone: onClose,
  });
  const { form } = server;
  return (
    <FormDialog
      title={`Role of ${person.name}`}
      server={server}
      action="Change role"
      isDisabled={!form.isDirty()}
      onClose={onClose}
    >
      <GrantFields
        value={form.values.grant}
        error={form.errors.grant as string | undefined}
        onChange={(grant) => form.setFieldValue('grant', grant)}
      />
    </FormDialog>
  );
};

/** Sets a one-time password, which is shown once and must be changed at the next sign-in. */
const ResetPasswordDialog = ({ person, onClose }: { person: Person; onClose: () => void }) => {
  const reset = useMutation({
    mutationFn: () => api.people.resetPassword.mutate({ account_id: person.account_id }),
    meta: { showsFailure: true },
  });
  return (
    <Modal
      opened
      onClose={onClose}
      closeOnClickOutside={!reset.data}
      title={reset.data ? 'One-time password' : `Reset the password of ${person.name}?`}
    >
      {reset.data ? (
        <Stack gap="sm">
          <Alert color="yellow" title="Copy it now">
            It is shown only here. With it, {person.name} signs in and chooses a new password.
          </Alert>
          <SecretBox label="password" secret={reset.data.one_time_password} />
          <Group justify="flex-end">
            <Button onClick={onClose}>Done</Button>
          </Group>
        </Stack>
      ) : (
        <Stack gap="sm">
          <FormError error={reset.error} fields={[]} />
          <Text>
            You get a one-time password to pass on. The old password stops working, every sign-in of{' '}
            {person.name} ends, and single sign-on identities are removed.
          </Text>
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button
              color="red"
              data-autofocus
              loading={reset.isPending}
              onClick={() => reset.mutate()}
            >
              Reset password
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
};
