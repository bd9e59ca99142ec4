import { Button, Divider } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { trpc } from '../../api/trpc.ts';
import { FormError } from '../../components/forms/form-error.tsx';
import { postAuth } from '../../features/accounts/post-auth.ts';

/** Leads to the organisation's own sign-in, where one is configured. */
export const IssuerButton = ({ next }: { next: string }) => {
  const { data } = useQuery(trpc.accounts.signInMethods.queryOptions());
  const leave = useMutation({
    mutationFn: () => postAuth<{ url: string }>('/sign-in/social', { callbackURL: next }),
    onSuccess: ({ url }) => window.location.assign(url),
  });
  if (!data?.oidc) return null;
  return (
    <>
      <Divider label="or" my="sm" />
      <FormError error={leave.error} fields={[]} />
      <Button
        fullWidth
        size="sm"
        variant="default"
        loading={leave.isPending}
        onClick={() => leave.mutate()}
      >
        Continue with {data.oidc.name}
      </Button>
    </>
  );
};
