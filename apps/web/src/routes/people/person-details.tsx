// Everything about one person, and what can be done.
import { Alert, Button, Modal, Stack } from '@mantine/core';
import { useState } from 'react';
import { useMe } from '../../access/me.ts';
import { CopyableId } from '../../components/ids/copyable-id.tsx';
import { TimeText } from '../../components/time/time-text.tsx';
import { Facts } from '../../features/accounts/facts.tsx';
import { ROLE_WORDS } from '../../features/accounts/role-words.ts';
import { SandboxNames } from '../../features/accounts/sandbox-names.tsx';
import { ChangeRoleDialog } from './change-role-dialog.tsx';
import type { PersonAction } from './person-actions.tsx';
import { PersonActions } from './person-actions.tsx';
import { PersonConfirmation } from './person-confirmation.tsx';
import type { Person } from './person-row.ts';
import { ResetPasswordDialog } from './reset-password-dialog.tsx';

type PersonDetailsProps = { person: Person; isLastOwner: boolean; onClose: () => void };

export const PersonDetails = ({ person, isLastOwner, onClose }: PersonDetailsProps) => {
  const me = useMe();
  const [action, setAction] = useState<PersonAction | null>(null);
  const back = () => setAction(null);
  const isMe = me.account_id === person.account_id;
  return (
    <>
      <Modal opened={action === null} onClose={onClose} title={person.name} size="lg">
        <Stack gap="md">
          {isLastOwner && (
            <Alert color="blue" title="The last owner">
              Somebody has to be able to do everything. Make another person an owner first; then
              this one can be changed, disabled or removed.
            </Alert>
          )}
          <Facts facts={listFacts(person)} />
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
      {action === 'role' && <ChangeRoleDialog person={person} onClose={back} />}
      {action === 'password' && <ResetPasswordDialog person={person} onClose={back} />}
      <PersonConfirmation person={person} action={action} onClose={back} onRemoved={onClose} />
    </>
  );
};

const listFacts = (person: Person): [string, React.ReactNode][] => [
  ['E-mail', person.email],
  ['Account id', <CopyableId key="id" id={person.account_id} label="account id" />],
  ['Role', `${ROLE_WORDS[person.role].label}: ${ROLE_WORDS[person.role].says}`],
  ['Sandboxes', <SandboxNames key="sandboxes" ids={person.sandbox_ids} />],
  ['Second factor', person.two_factor_enabled ? 'on' : 'off'],
  ['Came', <TimeText key="created" at={person.created} />],
  [
    'Last signed in',
    person.last_signed_in ? <TimeText key="last" at={person.last_signed_in} /> : 'never',
  ],
];
