// Sets a second factor up in three steps: the password, the app with a code as proof, the backup codes.
import { Modal } from '@mantine/core';
import { useState } from 'react';
import { postAuth } from '../../../features/accounts/post-auth.ts';
import { BackupCodes } from './backup-codes.tsx';
import { PasswordStep } from './password-step.tsx';
import { ProofStep } from './proof-step.tsx';

type EnableDialogProps = { onClose: () => void; onDone: () => void };
type Prepared = { totpURI: string; backupCodes: string[] };

export const EnableDialog = ({ onClose, onDone }: EnableDialogProps) => {
  const [prepared, setPrepared] = useState<Prepared | null>(null);
  const [isProven, setProven] = useState(false);
  return (
    <Modal
      opened
      // Proven, it is on: closing must not lose the codes' last chance unnoticed.
      onClose={isProven ? onDone : onClose}
      closeOnClickOutside={prepared === null}
      title={isProven ? 'Keep these backup codes' : 'Set up the second factor'}
    >
      {prepared === null && (
        <PasswordStep
          says="First, show that it is you."
          action="Continue"
          send={(password) => postAuth<Prepared>('/two-factor/enable', { password })}
          onDone={setPrepared}
          onClose={onClose}
        />
      )}
      {prepared && !isProven && (
        <ProofStep uri={prepared.totpURI} onDone={() => setProven(true)} onClose={onClose} />
      )}
      {prepared && isProven && <BackupCodes codes={prepared.backupCodes} onClose={onDone} />}
    </Modal>
  );
};
