import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useSandboxes } from '../../access/sandboxes.ts';
import { SecretBox } from '../../features/accounts/secret-box.tsx';
import { writeSample } from './write-sample.ts';

type NewKeyProps = {
  made: {
    key: string;
    name: string;
    permissions: readonly string[];
    sandbox_ids?: readonly string[] | undefined;
  };
  onClose: () => void;
};

/** The only time that anybody sees the key. */
export const NewKey = ({ made, onClose }: NewKeyProps) => {
  const sandboxes = useSandboxes();
  const sandboxId = made.sandbox_ids?.[0] ?? sandboxes[0]?.sandbox_id;
  return (
    <Stack gap="sm">
      <Alert color="yellow" title="Copy it now">
        This is the only time that the key is shown. Keep it where your program reads its secrets.
      </Alert>
      <SecretBox label="key" secret={made.key} />
      <Text size="sm" fw={600}>
        Try it
      </Text>
      <SecretBox
        label="command"
        secret={writeSample({
          origin: window.location.origin,
          permissions: made.permissions,
          ...(sandboxId && { sandboxId }),
        })}
      />
      <Text size="xs" c="dimmed">
        The command reads the key from the variable MUSTER_KEY, so that it is not in your shell's
        history.
      </Text>
      <Group justify="flex-end">
        <Button onClick={onClose}>I have kept it</Button>
      </Group>
    </Stack>
  );
};
