import { Button, Group, Select, Stack, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { Platform } from '@muster/contract';
import { PLATFORMS } from '@muster/contract';
import { createUuid } from '../../ui/ids.ts';

/** Random bytes in base64url, like the ids of platforms. */
const makeId = (): string => btoa(createUuid().replaceAll('-', '')).replace(/=+$/, '');

export const newPlatformSession = () => ({
  platform: 'Muster' as Platform,
  platform_session_type: 'lobby',
  platform_session_id_base64: makeId(),
});

type PlatformSessionFieldsProps<Values> = {
  form: UseFormReturnType<Values>;
  /** The prefix of the field paths, with a trailing dot; empty at the root of the form. */
  prefix?: string;
};

export const PlatformSessionFields = <Values,>({
  form,
  prefix = '',
}: PlatformSessionFieldsProps<Values>) => (
  <Stack gap="sm">
    <Group gap="sm" grow align="flex-start">
      <Select
        label="Platform"
        data={[...PLATFORMS]}
        searchable
        {...form.getInputProps(`${prefix}platform`)}
      />
      <TextInput label="Template" {...form.getInputProps(`${prefix}platform_session_type`)} />
    </Group>
    <Group gap={6} align="flex-end" wrap="nowrap">
      <TextInput
        flex={1}
        label="Id on the platform"
        spellCheck={false}
        {...form.getInputProps(`${prefix}platform_session_id_base64`)}
      />
      <Button
        variant="default"
        onClick={() => form.setFieldValue(`${prefix}platform_session_id_base64`, makeId() as never)}
      >
        Random
      </Button>
    </Group>
  </Stack>
);
