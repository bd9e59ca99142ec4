import { Group, Input, SegmentedControl, useMantineColorScheme } from '@mantine/core';
import type { TimeZone } from '../../preferences/time-zone.ts';
import { timeZone } from '../../preferences/time-zone.ts';
import { SettingsSection } from './settings-section.tsx';

const SCHEMES = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'auto', label: 'As the system' },
];
const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
const ZONES = [
  { value: 'local', label: `Local (${here})` },
  { value: 'utc', label: 'UTC' },
];

export const AppearanceSection = () => {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const zone = timeZone.use();
  return (
    <SettingsSection title="Appearance" says="Kept in this browser.">
      <Group gap="lg">
        <Input.Wrapper label="Colours" labelElement="div">
          <SegmentedControl
            display="flex"
            aria-label="Colours"
            data={SCHEMES}
            value={colorScheme}
            onChange={(value) => setColorScheme(value as typeof colorScheme)}
          />
        </Input.Wrapper>
        <Input.Wrapper label="Times in" labelElement="div">
          <SegmentedControl
            display="flex"
            aria-label="Times in"
            data={ZONES}
            value={zone}
            onChange={(value) => timeZone.set(value as TimeZone)}
          />
        </Input.Wrapper>
      </Group>
    </SettingsSection>
  );
};
