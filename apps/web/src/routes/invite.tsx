// Takes an invitation: the token is in the fragment of the link, which browsers keep to themselves.

import { Anchor, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute, Link, useLocation, useRouter } from '@tanstack/react-router';
import type { ApiOutputs } from '../api/client.ts';
import { api, queryClient } from '../api/client.ts';
import { postAuth } from '../api/me.ts';
import {
  checkPassword,
  PASSWORD_HINT,
  useAttemptForm,
  useFirstFocus,
} from '../features/accounts/attempts.tsx';
import { GuestPage } from '../ui/page.tsx';
import { ROLE_LABELS } from '../ui/permission-labels.ts';
import { EmptyState, QueryState } from '../ui/states.tsx';
import { TimeText } from '../ui/time.tsx';

export const Route = createFileRoute('/invite')({
  component: InvitePage,
});

function InvitePage() {
  const hash = useLocation({ select: (location) => location.hash });
  const token = /^#?token=([\w-]+)$/.exec(hash)?.[1];
  return (
    <GuestPage title="Your invitation">
      {token ? <Invitation token={token} /> : <NoToken />}
    </GuestPage>
  );
}

const Invitation = ({ token }: { token: string }) => {
  const query = useQuery({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => api.invitations.get.mutate({ token }, { signal }),
    // Taken by this very page, it is gone.
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <QueryState query={query}>
      {(invitation) => <AcceptForm token={token} invitation={invitation} />}
    </QueryState>
  );
};

const NoToken = () => (
  <EmptyState title="This link is not complete">
    <p>Open the whole link of your invitation, or ask the person who invited you for a new one.</p>
    <Anchor component={Link} to="/login">
      Sign in
    </Anchor>
  </EmptyState>
);

type AcceptFormProps = {
  token: string;
  invitation: ApiOutputs['invitations']['get'];
};

const AcceptForm = ({ token, invitation }: AcceptFormProps) => {
  const { email, role, expires } = invitation;
  const { history } = useRouter();
  const first = useFirstFocus();
  const { form, submit, isSending, isWaiting, failure } = useAttemptForm({
    initialValues: { name: '', password: '' },
    validate: {
      name: (name) => (name.trim() === '' ? 'Enter your name.' : null),
      password: checkPassword,
    },
    send: async ({ name, password }) => {
      await api.invitations.accept.mutate({ token, name: name.trim(), password });
      // The account exists now. Should this fail, the page of sign-in is the way on.
      await postAuth('/sign-in/email', { email, password }).catch(() => {});
    },
    onDone: () => {
      queryClient.clear();
      history.replace('/');
    },
  });
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <Text size="sm">
          You were invited as <strong>{ROLE_LABELS[role].label.toLowerCase()}</strong>.{' '}
          {ROLE_LABELS[role].description}
        </Text>
        {failure}
        <TextInput label="E-mail" value={email} readOnly autoComplete="username" />
        <TextInput
          ref={first}
          label="Your name"
          autoComplete="name"
          maxLength={128}
          {...form.getInputProps('name')}
        />
        <PasswordInput
          label="Password"
          description={PASSWORD_HINT}
          autoComplete="new-password"
          {...form.getInputProps('password')}
        />
        <Button type="submit" size="sm" loading={isSending} disabled={isWaiting}>
          Create my account
        </Button>
        <Text size="xs" c="dimmed">
          The invitation ends <TimeText at={expires} />.
        </Text>
      </Stack>
    </form>
  );
};
