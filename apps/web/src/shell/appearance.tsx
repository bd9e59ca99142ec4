import {
  ActionIcon,
  Button,
  Tooltip,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core';
import { IconMoon, IconSun } from '@tabler/icons-react';
import { timeZone } from '../preferences/time-zone.ts';

export const SchemeSwitch = () => {
  const { setColorScheme } = useMantineColorScheme();
  const other = useComputedColorScheme('light') === 'light' ? 'dark' : 'light';
  const Icon = other === 'dark' ? IconMoon : IconSun;
  return (
    <Tooltip label={`Switch to ${other} colours`}>
      <ActionIcon
        size="lg"
        aria-label={`Switch to ${other} colours`}
        onClick={() => setColorScheme(other)}
      >
        <Icon size={18} stroke={1.6} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
};

export const ZoneSwitch = () => {
  const zone = timeZone.use();
  const other = zone === 'utc' ? 'local' : 'utc';
  const name = { utc: 'UTC', local: 'local time' };
  return (
    <Tooltip label={`Times are shown in ${name[zone]}. Switch to ${name[other]}`}>
      <Button
        variant="subtle"
        color="gray"
        aria-label={`Times in ${name[zone]}; switch to ${name[other]}`}
        onClick={() => timeZone.set(other)}
      >
        {zone === 'utc' ? 'UTC' : 'Local'}
      </Button>
    </Tooltip>
  );
};
