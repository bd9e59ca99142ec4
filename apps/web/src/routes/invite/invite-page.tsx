// Takes an invitation: the token is in the fragment of the link, which browsers keep to themselves.
import { Anchor } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { api } from '../../api/trpc.ts';
import { GuestPage } from '../../components/page/guest-page.tsx';
import { EmptyState } from '../../components/states/empty-state.tsx';
import { QueryState } from '../../components/states/query-state.tsx';
import { AcceptForm } from './accept-form.tsx';

export const InvitePage = () => {
  const hash = useLocation({ select: (location) => location.hash });
  const token = /^#?token=([\w-]+)$/.exec(hash)?.[1];
  return (
    <GuestPage title="Your invitation">
      {token ? <Invitation token={token} /> : <NoToken />}
    </GuestPage>
  );
};

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
    <p>Open the whole link of your invitation, or ask whoever invited you for a new one.</p>
    <Anchor component={Link} to="/login">
      Sign in
    </Anchor>
  </EmptyState>
);
