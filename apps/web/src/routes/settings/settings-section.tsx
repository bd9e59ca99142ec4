import { Paper, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

type SettingsSectionProps = { title: string; says?: string; children: ReactNode };

/** One card of the page: what it is about, in a sentence, and what can be set. */
export const SettingsSection = ({ title, says, children }: SettingsSectionProps) => (
  <Paper component="section" withBorder radius="md" p="md" aria-label={title}>
    <Title order={2}>{title}</Title>
    {says && (
      <Text size="sm" c="dimmed" mb="sm">
        {says}
      </Text>
    )}
    {children}
  </Paper>
);
