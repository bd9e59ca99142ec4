import { Modal } from '@mantine/core';
import { useState } from 'react';
import { postAuth } from '../../../features/accounts/post-auth.ts';
import { BackupCodes } from './backup-codes.tsx';
import { PasswordStep } from './password-step.tsx';

export const BackupCodesDialog = ({ onClose }: { onClose: () => void }) => {
  const [codes, setCodes] = useState<string[] | null>(null);
  return (
    <Modal
      opened
      onClose={onClose}
      closeOnClickOutside={codes === null}
      title={codes ? 'Keep these backup codes' : 'New backup codes'}
    >
      {codes ? (
        <BackupCodes codes={codes} onClose={onClose} />
      ) : (
        <PasswordStep
          says="The codes that you have now stop working."
          action="Make new codes"
          send={(password) =>
            postAuth<{ backupCodes: string[] }>('/two-factor/generate-backup-codes', { password })
          }
          onDone={({ backupCodes }) => setCodes(backupCodes)}
          onClose={onClose}
        />
      )}
    </Modal>
  );
};
