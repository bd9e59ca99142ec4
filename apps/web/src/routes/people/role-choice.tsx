import { Radio, Stack } from '@mantine/core';
import type { Role } from '@muster/contract';
import { ROLE_NAMES } from '@muster/contract';
import { useMe } from '../../access/me.ts';
import { listGrantableRoles, ROLE_WORDS } from '../../features/accounts/role-words.ts';

type RoleChoiceProps = {
  value: Role;
  onChange: (role: Role) => void;
  sandboxIds: readonly string[] | undefined;
};

/** Each role with what it may do. Those that the caller does not hold cannot be given. */
export const RoleChoice = ({ value, onChange, sandboxIds }: RoleChoiceProps) => {
  const { permissions } = useMe();
  const grantable = listGrantableRoles(permissions, sandboxIds);
  return (
    <Radio.Group label="Role" value={value} onChange={(role) => onChange(role as Role)}>
      <Stack gap={8} mt={4}>
        {ROLE_NAMES.map((role) => (
          <Radio
            key={role}
            value={role}
            label={ROLE_WORDS[role].label}
            description={
              grantable.includes(role)
                ? ROLE_WORDS[role].says
                : `${ROLE_WORDS[role].says} You hold less yourself, so you cannot give it.`
            }
            disabled={!grantable.includes(role)}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
};
