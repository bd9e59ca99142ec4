// Identities at the issuer of single sign-on: of one person, for owners, and of the user.
import { Button, Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ApiOutputs } from '../../api/client.ts';
import { api, trpc } from '../../api/client.ts';
import { ConfirmDialog } from '../../ui/dialogs.tsx';
import { SettingsSection } from '../../ui/page.tsx';
import { ErrorState } from '../../ui/states.tsx';
import { TimeText } from '../../ui/time.tsx';
import type { Person } from './person-rows.ts';

export type Identity = ApiOutputs['people']['identities']['identities'][number];

type PersonIdentitiesProps = { person: Person; onRemove: (identity: Identity) => void };

export const PersonIdentities = ({ person, onRemove }: PersonIdentitiesProps) => {
  const { account_id } = person;
  const { data, error, refetch } = useQuery(trpc.people.identities.queryOptions({ account_id }));
  if (!data) return error ? <ErrorState error={error} onRetry={refetch} /> : 'Loading …';
  if (data.identities.length === 0) return 'no identity';
  return (
    <Stack gap="xs">
      {data.identities.map((identity) => (
        <IdentityLine key={identity.identity_id} identity={identity}>
          <Button
            variant="default"
            aria-label={`Remove identity ${identity.subject}`}
            onClick={() => onRemove(identity)}
          >
            Remove identity
          </Button>
        </IdentityLine>
      ))}
    </Stack>
  );
};

const IdentityLine = ({ identity, children }: { identity: Identity; children?: ReactNode }) => (
  <Group justify="space-between" gap="xs">
    <div className="anywhere">
      <Text size="sm">{identity.subject}</Text>
      <Text size="xs" c="dimmed">
        {identity.issuer && `${identity.issuer}, `}linked <TimeText at={identity.linked} />, last
        used <TimeText at={identity.last_used} />
      </Text>
    </div>
    {children}
  </Group>
);

type RemoveIdentityDialogProps = { person: Person; identity: Identity; onClose: () => void };

export const RemoveIdentityDialog = ({ person, identity, onClose }: RemoveIdentityDialogProps) => {
  const { account_id, email, name } = person;
  const { identity_id } = identity;
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Remove an identity of ${name}?`}
      action="Remove identity"
      isDestructive
      onConfirm={() => api.people.removeIdentity.mutate({ account_id, identity_id })}
      invalidates={[trpc.people.pathKey()]}
      done="The identity is removed."
    >
      <Stack gap="xs">
        <IdentityLine identity={identity} />
        <Text>
          Every sign-in of {name} ends. The next identity with the verified e-mail address {email}{' '}
          is linked when it signs in. To keep everybody out, disable the account instead.
        </Text>
      </Stack>
    </ConfirmDialog>
  );
};

/** Renders nothing when the account has no identity. */
export const OwnIdentitiesSection = () => {
  const { data } = useQuery(trpc.me.identities.queryOptions());
  if (!data || data.identities.length === 0) return null;
  return (
    <SettingsSection
      title="Single sign-on"
      description="You can sign in with this identity. If you do not recognise it, ask an owner to remove it."
    >
      <Stack gap="xs">
        {data.identities.map((identity) => (
          <IdentityLine key={identity.identity_id} identity={identity} />
        ))}
      </Stack>
    </SettingsSection>
  );
};
