import { Button, Group, Stack, Text } from '@mantine/core';
import { SecretBox } from '../../../features/accounts/secret-box.tsx';

type BackupCodesProps = { codes: readonly string[]; onClose: () => void };

export const BackupCodes = ({ codes, onClose }: BackupCodesProps) => (
  <Stack gap="sm">
    <Text>
      Without your phone, each of these codes opens the second step once. They are shown only now:
      keep them where you keep passwords.
    </Text>
    <SecretBox label="codes" secret={codes.join('\n')} />
    <Group justify="flex-end">
      <Button onClick={onClose}>I have kept them</Button>
    </Group>
  </Stack>
);
