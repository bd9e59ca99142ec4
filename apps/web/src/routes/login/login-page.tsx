// Signing in: the password, then the second factor where there is one, then a password of one's own.
import { getRouteApi, useNavigate, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import type { Me } from '../../access/me.ts';
import { meOptions } from '../../access/me.ts';
import { queryClient } from '../../api/query-client.ts';
import { GuestPage } from '../../components/page/guest-page.tsx';
import { toOwnPath } from '../../router/own-path.ts';
import { FirstPasswordForm } from './first-password-form.tsx';
import { IssuerButton } from './issuer-button.tsx';
import { IssuerError } from './issuer-error.tsx';
import { PasswordForm } from './password-form.tsx';
import { SecondFactorForm } from './second-factor-form.tsx';

const route = getRouteApi('/login');

export const LoginPage = () => {
  const { next, step, error } = route.useSearch();
  const { history } = useRouter();
  const navigate = useNavigate();
  // Kept so that nobody types the one-time password twice; a reload asks for it again.
  const [oneTimePassword, setOneTimePassword] = useState<string>();
  const goTo = (to: 'two-factor' | 'change-password') =>
    void navigate({ to: '/login', search: { next, step: to }, replace: true });
  const finish = async () => {
    queryClient.clear();
    const me: Me = await queryClient.fetchQuery(meOptions);
    if (me.must_change_password) goTo('change-password');
    else history.push(toOwnPath(next));
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
      <IssuerError code={error} />
      <PasswordForm
        onDone={({ password, needsSecondFactor }) => {
          setOneTimePassword(password);
          return needsSecondFactor ? goTo('two-factor') : finish();
        }}
      />
      <IssuerButton next={toOwnPath(next)} />
    </GuestPage>
  );
};
