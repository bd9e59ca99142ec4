import { Modal } from '@mantine/core';
import { postAuth } from '../../../features/accounts/post-auth.ts';
import { PasswordStep } from './password-step.tsx';

type DisableDialogProps = { onClose: () => void; onDone: () => void };

export const DisableDialog = ({ onClose, onDone }: DisableDialogProps) => (
  <Modal opened onClose={onClose} title="Switch the second factor off?">
    <PasswordStep
      says="The password alone then opens your account."
      action="Switch off"
      isDestructive
      send={(password) => postAuth('/two-factor/disable', { password })}
      onDone={onDone}
      onClose={onClose}
    />
  </Modal>
);
