import { Radio, Stack } from '@mantine/core';
import type { Role } from '@muster/contract';
import { ROLE_NAMES } from '@muster/contract';
import { useMe } from '../../api/me.ts';
import { listGrantableRoles, ROLE_LABELS } from '../../ui/permission-labels.ts';
import { SandboxScope } from './sandbox-scope.tsx';

export type RoleGrant = { role: Role; sandbox_ids: string[] | undefined };

type GrantFieldsProps = {
  value: RoleGrant;
  onChange: (value: RoleGrant) => void;
  /** Shown next to the choice of sandboxes. */
  error?: string | undefined;
};

/** A role and its sandboxes. An owner is an owner everywhere. */
export const GrantFields = ({ value, onChange, error }: GrantFieldsProps) => (
  <>
    <RoleChoice
      value={value.role}
      sandboxIds={value.sandbox_ids}
      onChange={(role) =>
        onChange({ role, sandbox_ids: role === 'owner' ? undefined : value.sandbox_ids })
      }
    />
    <SandboxScope
      whose="the role"
      value={value.sandbox_ids}
      disabled={value.role === 'owner'}
      error={error}
      onChange={(sandbox_ids) => onChange({ ...value, sandbox_ids })}
    />
  </>
);

type RoleChoiceProps = {
  value: Role;
  onChange: (role: Role) => void;
  sandboxIds: readonly string[] | undefined;
};

/** Each role with its permissions. Roles with permissions that the user lacks cannot be assigned. */
const RoleChoice = ({ value, onChange, sandboxIds }: RoleChoiceProps) => {
  const { permissions } = useMe();
  const grantable = listGrantableRoles(permissions, sandboxIds);
  return (
    <Radio.Group label="Role" value={value} onChange={(role) => onChange(role as Role)}>
      <Stack gap={8} mt={4}>
        {ROLE_NAMES.map((role) => (
          <Radio
            key={role}
            value={role}
            label={ROLE_LABELS[role].label}
            description={
              grantable.includes(role)
                ? ROLE_LABELS[role].description
                : `${ROLE_LABELS[role].description} You do not have all of its permissions, so you cannot assign it.`
            }
            disabled={!grantable.includes(role)}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
};
