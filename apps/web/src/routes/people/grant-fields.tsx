import type { Role } from '@muster/contract';
import { SandboxScope } from '../../features/accounts/sandbox-scope.tsx';
import { RoleChoice } from './role-choice.tsx';

export type RoleGrant = { role: Role; sandbox_ids: string[] | undefined };

type GrantFieldsProps = {
  value: RoleGrant;
  onChange: (value: RoleGrant) => void;
  /** Beside the choice of sandboxes. */
  error?: string | undefined;
};

/** A role, and where it holds. An owner is an owner everywhere. */
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
