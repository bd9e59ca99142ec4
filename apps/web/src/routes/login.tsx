// Signing in: the password, then the second factor if there is one, then a new password after a one-time password.

import { Alert, Button, Divider } from '@mantine/core';
import type { ErrorCode } from '@muster/contract';
import { ERROR_CATALOGUE } from '@muster/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { createFileRoute, useNavigate, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { z } from 'zod';
import { queryClient, trpc } from '../api/client.ts';
import type { Me } from '../api/me.ts';
import { meOptions, postAuth } from '../api/me.ts';
import {
  FirstPasswordForm,
  PasswordForm,
  SecondFactorForm,
} from '../features/accounts/sign-in-forms.tsx';
import { CopyableId } from '../ui/copyable.tsx';
import { FormError } from '../ui/forms.tsx';
import { GuestPage } from '../ui/page.tsx';
import { textParam, toSameOriginPath, wordParam } from '../ui/url-state.tsx';

/** As the service makes and takes them; no other text of an address is shown. */
const requestIdParam = textParam.pipe(
  z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,128}$/)
    .optional()
    .catch(undefined),
);

const LoginSearch = z.object({
  /** Where to go afterwards; see router/own-path.ts. */
  next: wordParam,
  step: z.enum(['two-factor', 'change-password']).optional().catch(undefined),
  /** Why single sign-on failed: an error code of the service. */
  error: wordParam,
  /** The id under which the log and the audit trail have the reason. */
  request_id: requestIdParam,
});

export const Route = createFileRoute('/login')({
  validateSearch: LoginSearch,
  component: LoginPage,
});

function LoginPage() {
  const { next, step, error, request_id: requestId } = Route.useSearch();
  const { history } = useRouter();
  const navigate = useNavigate();
  // Kept so that the one-time password is typed once; a reload asks for it again.
  const [oneTimePassword, setOneTimePassword] = useState<string>();
  const goTo = (to: 'two-factor' | 'change-password') =>
    void navigate({ to: '/login', search: { next, step: to }, replace: true });
  const finish = async () => {
    queryClient.clear();
    const me: Me = await queryClient.fetchQuery(meOptions);
    if (me.must_change_password) goTo('change-password');
    else history.push(toSameOriginPath(next));
  };
  if (step === 'two-factor') {
    return (
      <GuestPage title="Second step" key={step}>
        <SecondFactorForm
          onDone={finish}
          onBack={() => void navigate({ to: '/login', search: { next } })}
        />
      </GuestPage>
    );
  }
  if (step === 'change-password') {
    return (
      <GuestPage title="Choose a password" key={step}>
        <FirstPasswordForm current={oneTimePassword} onDone={finish} />
      </GuestPage>
    );
  }
  return (
    <GuestPage title="Sign in" key="password">
      <IssuerError code={error} requestId={requestId} />
      <PasswordForm
        onDone={({ password, needsSecondFactor }) => {
          setOneTimePassword(password);
          return needsSecondFactor ? goTo('two-factor') : finish();
        }}
      />
      <IssuerButton next={toSameOriginPath(next)} />
    </GuestPage>
  );
}

/** Leads to the organisation's own sign-in, where one is configured. */
const IssuerButton = ({ next }: { next: string }) => {
  const { data } = useQuery(trpc.accounts.signInMethods.queryOptions());
  const leave = useMutation({
    mutationFn: () => postAuth<{ url: string }>('/sign-in/social', { callbackURL: next }),
    meta: { showsFailure: true },
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

type IssuerErrorProps = { code: string | undefined; requestId: string | undefined };

/** The sentence of the code that the service put into the address; a stranger's text is never shown. */
const IssuerError = ({ code, requestId }: IssuerErrorProps) => {
  if (code === undefined) return null;
  const known = Object.hasOwn(ERROR_CATALOGUE, code) ? (code as ErrorCode) : 'internal_error';
  return (
    <Alert color="red" role="alert" mb="sm" title="That sign-in did not work">
      {ERROR_CATALOGUE[known].desc}
      {requestId && (
        <div>
          Request <CopyableId id={requestId} label="request id" short />
        </div>
      )}
    </Alert>
  );
};
