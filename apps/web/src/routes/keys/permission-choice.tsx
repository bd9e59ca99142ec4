import { Checkbox, Fieldset, Input, SimpleGrid, Stack, Text } from '@mantine/core';
import { coversAll, narrowToSandboxes } from '@muster/contract';
import type { ReactNode } from 'react';
import { useMe } from '../../access/me.ts';
import type { Grant } from '../../features/accounts/permission-words.ts';
import { PERMISSION_GROUPS } from '../../features/accounts/permission-words.ts';

type PermissionChoiceProps = {
  value: readonly Grant[];
  onChange: (value: Grant[]) => void;
  /** Where they will hold; undefined: everywhere. */
  sandboxIds: readonly string[] | undefined;
  error: ReactNode;
};

/** What the caller holds can be given; the rest is not offered, since nobody grants what they lack. */
export const PermissionChoice = ({ value, onChange, sandboxIds, error }: PermissionChoiceProps) => {
  const { permissions: held } = useMe();
  const isOffered = (name: Grant) => coversAll(held, narrowToSandboxes([name], sandboxIds));
  const groups = PERMISSION_GROUPS.map(({ title, permissions }) => ({
    title,
    permissions: permissions.filter(({ name }) => isOffered(name)),
  })).filter(({ permissions }) => permissions.length > 0);
  const toggle = (name: Grant) =>
    onChange(value.includes(name) ? value.filter((other) => other !== name) : [...value, name]);
  return (
    <Fieldset legend="What it may do" variant="unstyled">
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm" mt={4}>
        {groups.map(({ title, permissions }) => (
          <Stack gap={6} key={title}>
            <Text size="xs" c="dimmed" fw={600}>
              {title}
            </Text>
            {permissions.map(({ name, says }) => (
              <Checkbox
                key={name}
                label={says}
                description={<code className="mono">{name}</code>}
                checked={value.includes(name)}
                onChange={() => toggle(name)}
              />
            ))}
          </Stack>
        ))}
      </SimpleGrid>
      {error && (
        <Input.Error mt={6} role="alert">
          {error}
        </Input.Error>
      )}
    </Fieldset>
  );
};
