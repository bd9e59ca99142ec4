import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { meOptions, useMe } from '../../../access/me.ts';
import { queryClient } from '../../../api/query-client.ts';
import { notifyDone } from '../../../components/notify.ts';
import { Tag } from '../../../components/tag/tag.tsx';
import { SettingsSection } from '../settings-section.tsx';
import { BackupCodesDialog } from './backup-codes-dialog.tsx';
import { DisableDialog } from './disable-dialog.tsx';
import { EnableDialog } from './enable-dialog.tsx';

/** The cookie changes with it: who is signed in is asked anew. */
const refreshMe = () => queryClient.invalidateQueries({ queryKey: meOptions.queryKey });

export const TwoFactorSection = () => {
  const { two_factor_enabled: isOn } = useMe();
  const [open, setOpen] = useState<'enable' | 'codes' | 'disable' | null>(null);
  const close = () => setOpen(null);
  return (
    <SettingsSection
      title="Second factor"
      says="After the password, a code from an authenticator app on your phone. A stolen password alone then opens nothing."
    >
      <Group gap="xs">
        {isOn ? (
          <>
            <Tag tone="good">on</Tag>
            <Button variant="default" onClick={() => setOpen('codes')}>
              New backup codes
            </Button>
            <Button variant="default" onClick={() => setOpen('disable')}>
              Switch off
            </Button>
          </>
        ) : (
          <>
            <Tag>off</Tag>
            <Button onClick={() => setOpen('enable')}>Set it up</Button>
          </>
        )}
      </Group>
      {open === 'enable' && (
        <EnableDialog
          onClose={close}
          onDone={() => {
            void refreshMe();
            notifyDone('The second factor is on.');
            close();
          }}
        />
      )}
      {open === 'codes' && <BackupCodesDialog onClose={close} />}
      {open === 'disable' && (
        <DisableDialog
          onClose={close}
          onDone={() => {
            void refreshMe();
            notifyDone('The second factor is off.');
            close();
          }}
        />
      )}
    </SettingsSection>
  );
};
