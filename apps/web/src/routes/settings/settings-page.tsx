// What people decide for themselves, and the sandboxes for those who run them.
import { Stack } from '@mantine/core';
import { useMe } from '../../access/me.ts';
import { Page } from '../../components/page/page.tsx';
import { AppearanceSection } from './appearance-section.tsx';
import { NameSection } from './name-section.tsx';
import { PasswordSection } from './password-section.tsx';
import { SandboxesSection } from './sandboxes-section.tsx';
import { SignInsSection } from './sign-ins-section.tsx';
import { TwoFactorSection } from './two-factor/two-factor-section.tsx';

export const SettingsPage = () => {
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
            <SignInsSection />
          </>
        )}
        <SandboxesSection />
      </Stack>
    </Page>
  );
};
