// The user's own account and preferences.

import {
  Button,
  Group,
  Input,
  PasswordInput,
  SegmentedControl,
  Stack,
  TextInput,
  useMantineColorScheme,
} from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { api, trpc } from '../../api/client.ts';
import { meOptions, postAuth, useMe } from '../../api/me.ts';
import type { TimeZone } from '../../api/preferences.ts';
import { timeZone } from '../../api/preferences.ts';
import { checkPassword, PASSWORD_HINT, useAttemptForm } from '../../features/accounts/attempts.tsx';
import { OwnIdentitiesSection } from '../../features/accounts/identities.tsx';
import { SignInsSection } from '../../features/accounts/sign-ins.tsx';
import { TwoFactorSection } from '../../features/accounts/two-factor.tsx';
import { MaintenanceSection } from '../../features/maintenance/maintenance-section.tsx';
import { FormError, useServerForm } from '../../ui/forms.tsx';
import { Page, SettingsSection } from '../../ui/page.tsx';

export const Route = createFileRoute('/_app/settings')({
  component: SettingsPage,
});

function SettingsPage() {
  const { kind } = useMe();
  return (
    <Page title="Settings">
      <Stack gap="md" maw="46rem">
        <AppearanceSection />
        {kind === 'person' && (
          <>
            <NameSection />
            <PasswordSection />
            <TwoFactorSection />
            <OwnIdentitiesSection />
            <SignInsSection />
          </>
        )}
        <MaintenanceSection />
      </Stack>
    </Page>
  );
}

const SCHEMES = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'auto', label: 'System' },
];
const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
const ZONES = [
  { value: 'local', label: `Local (${here})` },
  { value: 'utc', label: 'UTC' },
];

const AppearanceSection = () => {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const zone = timeZone.use();
  return (
    <SettingsSection title="Appearance" description="Saved in this browser.">
      <Group gap="lg">
        <Input.Wrapper label="Colours" labelElement="div">
          <SegmentedControl
            display="flex"
            aria-label="Colours"
            data={SCHEMES}
            value={colorScheme}
            onChange={(value) => setColorScheme(value as typeof colorScheme)}
          />
        </Input.Wrapper>
        <Input.Wrapper label="Times in" labelElement="div">
          <SegmentedControl
            display="flex"
            aria-label="Times in"
            data={ZONES}
            value={zone}
            onChange={(value) => timeZone.set(value as TimeZone)}
          />
        </Input.Wrapper>
      </Group>
    </SettingsSection>
  );
};

const NameSection = () => {
  const { name = '', email } = useMe();
  const { form, submit, isSending, error } = useServerForm({
    initialValues: { name },
    validate: { name: (typed) => (typed.trim() === '' ? 'Enter your name.' : null) },
    send: (values) => api.me.rename.mutate({ name: values.name.trim() }),
    invalidates: [meOptions.queryKey],
    done: 'Name updated.',
    onDone: () => {
      form.resetDirty();
    },
  });
  return (
    <SettingsSection title="You" description={`You sign in as ${email}.`}>
      <form onSubmit={submit} noValidate>
        <FormError error={error} fields={['name']} />
        <Group align="flex-end" gap="xs">
          <TextInput
            label="Name"
            w={280}
            maxLength={128}
            autoComplete="name"
            {...form.getInputProps('name')}
          />
          <Button type="submit" variant="default" loading={isSending} disabled={!form.isDirty()}>
            Save name
          </Button>
        </Group>
      </form>
    </SettingsSection>
  );
};

const PasswordSection = () => {
  const { form, submit, isSending, isWaiting, failure } = useAttemptForm({
    initialValues: { currentPassword: '', newPassword: '' },
    validate: {
      currentPassword: (password) => (password === '' ? 'Enter your current password.' : null),
      newPassword: checkPassword,
    },
    send: (values) => postAuth('/change-password', values),
    invalidates: [trpc.me.signIns.pathKey()],
    done: 'Password changed. You are signed out everywhere else.',
    onDone: () => {
      form.reset();
    },
  });
  return (
    <SettingsSection
      title="Password"
      description="Changing your password signs you out everywhere else."
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="sm" maw={280}>
          {failure}
          <PasswordInput
            label="Current password"
            autoComplete="current-password"
            visibilityToggleButtonProps={{ 'aria-label': 'Show the current password' }}
            {...form.getInputProps('currentPassword')}
          />
          <PasswordInput
            label="New password"
            description={PASSWORD_HINT}
            autoComplete="new-password"
            visibilityToggleButtonProps={{ 'aria-label': 'Show the new password' }}
            {...form.getInputProps('newPassword')}
          />
          <Button
            type="submit"
            variant="default"
            mr="auto"
            loading={isSending}
            disabled={isWaiting || !form.isDirty()}
          >
            Change password
          </Button>
        </Stack>
      </form>
    </SettingsSection>
  );
};
