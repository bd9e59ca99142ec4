import { Group } from '@mantine/core';
import { ActionButton } from '../../access/action-button.tsx';
import { useMe } from '../../access/me.ts';
import { listGrantableRoles } from '../../features/accounts/role-words.ts';
import type { Person } from './person-row.ts';

export type PersonAction = 'role' | 'password' | 'two-factor' | 'disable' | 'enable' | 'remove';

type PersonActionsProps = {
  person: Person;
  isMe: boolean;
  isLastOwner: boolean;
  onChoose: (action: PersonAction) => void;
};

const OWN = 'This is your own account: see Settings for what you can change yourself.';
const LAST = 'The last owner stays: make another person an owner first.';
const MORE = 'This person holds more than you do.';

/** Every action, with the reason where it cannot be done. */
export const PersonActions = ({ person, isMe, isLastOwner, onChoose }: PersonActionsProps) => {
  const { permissions } = useMe();
  const covers = listGrantableRoles(permissions, person.sandbox_ids).includes(person.role);
  const general = !covers && MORE;
  const others = general || (isMe && OWN);
  const staying = others || (isLastOwner && LAST);
  const noFactor = !person.two_factor_enabled && 'There is no second factor to take away.';
  return (
    <Group gap="xs">
      <ActionButton
        variant="default"
        reason={general || (isLastOwner && LAST)}
        onClick={() => onChoose('role')}
      >
        Change role
      </ActionButton>
      <ActionButton variant="default" reason={others} onClick={() => onChoose('password')}>
        Reset password
      </ActionButton>
      <ActionButton
        variant="default"
        reason={general || noFactor}
        onClick={() => onChoose('two-factor')}
      >
        Reset second factor
      </ActionButton>
      {person.disabled ? (
        <ActionButton variant="default" reason={general} onClick={() => onChoose('enable')}>
          Enable
        </ActionButton>
      ) : (
        <ActionButton variant="default" reason={staying} onClick={() => onChoose('disable')}>
          Disable
        </ActionButton>
      )}
      <ActionButton variant="light" color="red" reason={staying} onClick={() => onChoose('remove')}>
        Remove
      </ActionButton>
    </Group>
  );
};
