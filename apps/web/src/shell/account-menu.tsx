import { ActionIcon, Menu, Text } from '@mantine/core';
import { IconKeyboard, IconLogout, IconSettings, IconUserCircle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useMe } from '../access/me.ts';
import { signOut } from '../access/sign-out.ts';

export const AccountMenu = ({ onShowKeys }: { onShowKeys: () => void }) => {
  const me = useMe();
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <ActionIcon aria-label="Account" size="lg">
          <IconUserCircle size={20} stroke={1.6} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm" fw={600} c="var(--mantine-color-text)" truncate>
            {me.name ?? me.account_id}
          </Text>
          {me.email && (
            <Text size="xs" truncate>
              {me.email}
            </Text>
          )}
          {me.role && <Text size="xs">{me.role}</Text>}
        </Menu.Label>
        <Menu.Item component={Link} to="/settings" leftSection={<IconSettings size={15} />}>
          Settings
        </Menu.Item>
        <Menu.Item leftSection={<IconKeyboard size={15} />} onClick={onShowKeys}>
          Keyboard shortcuts
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={15} />} onClick={signOut}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
};
